#!/bin/sh
# Makes a Chromium available to the browser tests, or says plainly that they will skip.
# Usage: get_chromium.sh PYTHON
python=$1
if [ -n "$PLUMBLINE_CHROMIUM" ] || command -v chromium >/dev/null 2>&1; then
    exit 0
fi
if [ "$(id -u)" = 0 ] && [ -e /etc/debian_version ]; then
    if apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null; then
        exit 0
    fi
fi
if "$python" -m playwright install chromium; then
    exit 0
fi
echo "No Chromium could be had: the browser tests will be SKIPPED." >&2
exit 0
