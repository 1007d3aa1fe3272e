"""Pairs of texts with the kinds of clash a careful reader sees between them.

FIRST_RUN was written before any of the code and stays as it is: its first result is the honest
one. WHILE_WRITING was used to improve the rules.
"""

FIRST_RUN: tuple[tuple[str, str, frozenset[str]], ...] = tuple(
    (left, right, frozenset(kinds.split()))
    for left, right, kinds in (
        # Clashes.
        ("The kettle holds 1.7 litres.", "Capacity: 1.5 L, cordless base", "number"),
        ("It sells for $49.99.", "Price: $59.99 with free shipping", "number"),
        ("The tent sleeps four people.", "A roomy 6-person tent for family trips", "number"),
        ("Battery life is up to 12 hours.", "Get up to 8 hours of playback per charge", "number"),
        ("It comes with a two-year warranty.", "1-year limited warranty", "number"),
        ("The backpack weighs 2 kg.", "Item weight: 2 lb", "unit"),
        ("You can return it within 30 days.", "Returns are accepted within 14 days.", "number"),
        ("About 80% of reviewers liked the fit.", "5 out of 10 reviewers liked the fit", "number"),
        ("The lamp is dishwasher safe.", "Dishwasher safe: No", "negation"),
        ("A charger is included.", "Charger not included in the box.", "negation"),
        ("The jacket is waterproof.", "Please note that this jacket is not waterproof.", "negation"),
        ("It does not need assembly.", "Assembly is needed; tools are in the box.", "negation"),
        ("You can use it outdoors.", "For indoor use only.", "exclusive"),
        ("The mouse is wireless.", "A wired optical mouse with a 1.8 m cable", "exclusive"),
        ("Reviewers say the fan is quiet.", "The fan is so loud that I returned it.", "exclusive"),
        ("She was born in 1964.", "Born in 1946 in Lyon, she moved to Paris.", "number"),
        ("The pan can go in the oven up to 500 degrees.", "Oven safe to 450°F", "number"),
        ("The item cannot be returned.", "Returnable until Jan 31", "negation"),
        ("It has three heat settings.", "Choose between 5 heat settings", "number"),
        ("The film earned $12 million.", "The film grossed $1.2 million worldwide.", "number"),
        ("It costs less than $100.", "Our price: $129.00", "number"),
        # No clash.
        ("The kettle holds 1.7 litres.", "1.7 L capacity, boils in 4 minutes", ""),
        ("It weighs about 2 kg.", "Weight: 4.5 pounds", ""),
        ("It costs under $50.", "$44.95", ""),
        ("The battery lasts more than 10 hours.", "12 hours of battery life", ""),
        ("The jacket is not waterproof.", "Not waterproof; only resists light rain", ""),
        ("Four out of five reviewers liked it.", "80% of reviewers liked it", ""),
        ("The desk is 120 cm wide.", "Dimensions: 47.2 x 23.6 x 29 inches", ""),
        ("It has a one-year warranty.", "12 month warranty", ""),
        ("The headphones last 30 hours.", "30 hours of playtime; charges in 2 hours", ""),
        ("No tools are required.", "Sets up in minutes without tools", ""),
        ("The blender is easy to clean.", "It is not hard to clean at all.", ""),
        ("She joined the team in 2015.", "In 2015 she signed with the team for $3 million.", ""),
        ("It is not only light but also strong.", "Light and strong aluminium frame", ""),
        ("It holds 1,500 songs.", "Room for 1500 songs", ""),
        ("The rug is soft and warm.", "Soft, warm wool", ""),
        ("It comes in red and blue.", "Colours: red, blue, green", ""),
        ("It takes half an hour to charge.", "Charging time: 30 minutes", ""),
        ("The speaker is small.", "Compact size: 10 cm tall", ""),
        ("It ships in 2-3 days.", "Delivery within 3 days", ""),
    )
)
