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
        (
            "The jacket is waterproof.",
            "Please note that this jacket is not waterproof.",
            "negation",
        ),
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

WHILE_WRITING: tuple[tuple[str, str, frozenset[str]], ...] = tuple(
    (left, right, frozenset(kinds.split()))
    for left, right, kinds in (
        # Clashes.
        ("The screen measures 15.6 inches.", "14-inch Full HD display", "number"),
        ("It ships with 16 GB of memory.", "Memory: 8GB DDR4", "number"),
        ("The vacuum runs for half an hour.", "Runtime of up to 20 minutes", "number"),
        ("It costs €1.299,00.", "Preis: 1.199,00 €", "number"),
        ("He served for twenty-five years.", "His career lasted 15 years.", "number"),
        ("The product has 4.8 stars.", "Rated 3.9 out of 5 by 210 buyers", "number"),
        ("Two thirds of patients improved.", "Only 40% of patients improved.", "number"),
        ("The hose is 50 feet long.", "50 m garden hose", "unit"),
        ("The warranty lasts 24 years.", "Comes with a 24-month warranty", "unit"),
        ("It costs $20.", "Now only €20", "unit"),
        ("Bake it at 180°C.", "Bake at 450°F until golden", "number"),
        ("The chair supports up to 150 kg.", "Maximum load: 220 lb", "number"),
        ("The phone has no headphone jack.", "Bottom: USB-C port and headphone jack", "negation"),
        ("The app never shares your data.", "We share your data with partners.", "negation"),
        ("It works without batteries.", "Works with two AA batteries, sold separately", "negation"),
        ("The study found a link.", "Researchers did not find a link.", "negation"),
        ("The cover isn't machine washable.", "Cover is machine washable", "negation"),
        ("The lid is BPA-free.", "Lid contains BPA", "negation"),
        ("The seat is comfortable.", "Most found the seat uncomfortable.", "negation exclusive"),
        ("Sales rose in March.", "Sales fell in March", "exclusive"),
        ("The concert is on Friday.", "The concert takes place on Saturday evening", "exclusive"),
        ("The bag is heavy.", "A surprisingly lightweight bag", "exclusive"),
        ("It opened before the war.", "The bridge opened after the war", "exclusive"),
        ("The battery has 5000 mAh.", "Battery: 4,500mAh", "number"),
        ("Over 500 people attended.", "About 300 people attended the event", "number"),
        # No clash.
        ("The screen measures 15.6 inches.", "39.6 cm (15.6”) display", ""),
        ("It weighs 1.5 kg.", "Weight 3.3 lbs", ""),
        ("It costs around $50.", "$48.99", ""),
        ("Charging takes 2 hours.", "Up to 10 hours of battery life", ""),
        ("The table is 75 cm high.", "120 cm wide, 75 cm tall", ""),
        ("The phone does not support 5 GHz Wi-Fi.", "Supports 2.4 GHz Wi-Fi", ""),
        ("It has no known defects.", "Tested by 40 people over two weeks", ""),
        ("I cannot recommend it enough.", "Highly recommended by buyers", ""),
        ("No doubt the handle is sturdy.", "The handle is sturdy.", ""),
        ("It rated 4 out of 5 stars.", "4.0/5 stars", ""),
        ("Water at 100°C.", "Water at 212°F", ""),
        ("It lasts between 8 and 10 hours.", "9 hours", ""),
        ("It is suitable for ages 3+.", "Recommended age: 5 years", ""),
        ("One of the best tents.", "The best tent I ever had, and I had three.", ""),
        ("He was born on 3 March 1950.", "Born March 3, 1950", ""),
        ("The large pockets are useful.", "Two small pockets and one large pocket", ""),
        ("The case is hard.", "The case is hard to open but protects well", ""),
        ("It isn't cheap.", "An expensive but good pan", ""),
        ("The kit has 12 pieces.", "A dozen pieces in the kit", ""),
        ("It costs $1.2 billion.", "The cost was $1,200 million", ""),
        # Met in the sample.
        ("You need no receipts.", "You do not need receipts, and meals are settled by it.", ""),
        ("The base must not go under water.", "Do not immerse the base in water", ""),
        ("The coating is free of PFC.", "PFC-free coating; wash at 30 °C", ""),
        ("It cannot grind fine enough for Turkish coffee.", "Not suitable for Turkish coffee", ""),
        ("Without stakes you get down to 1.72 kg.", "minimum weight 1.72 kg without stakes", ""),
        ("Today it is $20.00 cheaper.", "Base price $129.00, today $109.00", ""),
        ("It costs $149.00, thirty dollars below its base price.", "Final price: $149.00", ""),
        ("Both hoses resist kinking.", "Hardly ever kinks, say most reviewers.", ""),
        ("There are no fittings in the price.", "Fittings sold separately.", ""),
        ("It must be heated to at least 20 °C.", "has to be heated to at least 12 °C", "number"),
        ("The tower stands 2,140 feet above the sea.", "at 2,140 metres above the sea", "unit"),
        ("It doesn’t float.", "The lure floats on still water.", "negation"),
    )
)

# Fractions, numbers in words and ranges; written while the code was.
SPELLED_OUT: tuple[tuple[str, str, frozenset[str]], ...] = tuple(
    (left, right, frozenset(kinds.split()))
    for left, right, kinds in (
        # Clashes.
        ("He ruled for eight-and-a-half years.", "He ruled for six years.", "number"),
        ("He ruled for two years.", "He ruled for two and a half years.", "number"),
        ("It charges in an hour and a half.", "It charges in three hours.", "number"),
        ("Add 1/2 cup of milk.", "Add two thirds of a cup of milk.", "number"),
        ("The plug is 3/8 inch wide.", "The plug is a quarter inch wide.", "number"),
        ("It weighs three quarters of a pound.", "Weight: 2 lb", "number"),
        ("It ships in 3-5 days.", "Ships within a range of 7 to 9 days.", "number"),
        ("It lasts between three and five hours.", "It lasts six to eight hours.", "number"),
        ("It lasts one to two hours.", "It lasts 5 hours.", "number"),
        ("The warranty runs for twenty-five years.", "Warranty: 5 years", "number"),
        ("A hundred and twenty people came.", "20 people came.", "number"),
        ("Half a dozen eggs are needed.", "A dozen eggs are needed.", "number"),
        ("It costs $10–20.", "Price: $25", "number"),
        ("A third of the users complained.", "Half of the users complained.", "number"),
        # No clash.
        ("He ruled for eight-and-a-half years.", "He ruled for 8.5 years.", ""),
        ("He ruled for eight and a half years.", "He ruled for 8 ½ years.", ""),
        ("It charges in an hour and a half.", "It charges in 90 minutes.", ""),
        ("It takes three quarters of an hour.", "It takes 45 minutes.", ""),
        ("Add 1/2 cup of milk.", "Add half a cup of milk.", ""),
        ("Add 1½ cups of milk.", "Add one and a half cups of milk.", ""),
        ("It ships in 3-5 days.", "It ships in three to five days.", ""),
        ("It ships in 3–5 days.", "It ships in 4 days.", ""),
        ("It lasts between three and five hours.", "It lasts 3-5 hours.", ""),
        ("It lasts one to two hours.", "It lasts 1 hour.", ""),
        ("The warranty runs for twenty-five years.", "Warranty: 25 years", ""),
        ("A hundred and twenty people came.", "120 people came.", ""),
        ("Half a dozen eggs are needed.", "6 eggs are needed.", ""),
        ("It costs $10–20.", "Price: $15", ""),
        ("Three quarters of the users like it.", "75 % of the users like it.", ""),
        ("It is rated four and a half stars.", "Rated 4.5 out of 5", ""),
        ("The walk is half a mile.", "The walk is 0.5 miles.", ""),
        ("Two hundred five-star reviews praise it.", "There are 200 reviews.", ""),
    )
)
