#!/bin/sh
# Makes a Chromium available to the browser tests, or says plainly that they will skip.
# Usage: get_chromium.sh PYTHON
python=$1

installed() {
    command -v chromium-headless-shell >/dev/null 2>&1 || command -v chromium >/dev/null 2>&1
}

install() {
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$1" >/dev/null
}

if [ -n "$PLUMBLINE_CHROMIUM" ] || installed; then
    exit 0
fi
if [ "$(id -u)" = 0 ] && [ -e /etc/debian_version ] && apt-get update -qq; then
    install chromium-headless-shell || install chromium
fi
if installed || "$python" -m playwright install chromium; then
    exit 0
fi
echo "No Chromium could be had: the browser tests will be SKIPPED." >&2
exit 0
