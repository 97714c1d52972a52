"""Ten pages as a good writer makes them, in ordinary prose, and what is wrong with one of each: placeholders stand for
what a profile holds, so that they can be read for the rows of any database of companies and people."""

COMPANIES = [
    """{name} is a multinational company active in the {industry_low} industry. It is headquartered in {hq}, from where its \
executive board directs subsidiaries on several continents, and it is generally counted among the larger enterprises of its kind.

The company grew out of a merger of regional businesses whose brands survive on some of its products. Over the decades it moved \
from a loose federation of local units to a tightly run group with common purchasing, common standards and a single research \
organisation. Observers have often remarked on the conservatism of its management, which prefers long investment cycles to \
quick acquisitions and which seldom comments on rumours in the press.

In its most recent annual report {name} stated sales of ${sales} billion and profits of ${profits} billion. Analysts attributed \
the result to firm demand, to cost discipline in its older plants and to a favourable exchange rate. Total assets stood at \
${assets} billion at the end of the reporting period, most of them in plant and equipment.

Shares of the company are held mainly by institutional investors, and its market value of ${value} billion makes it a fixture of \
the leading stock indices. Critics have called for faster change, not only in its product range but also in the way it reports \
on the environment, while supporters point to a record of steady dividends. The group also funds a foundation that \
supports schools and technical training in the communities in which it operates, and it publishes a yearly account of that work.""",
    """{name} is one of the best known names in {industry_low}. Founded by a small circle of partners, it developed over \
generations into a group with customers in most parts of the world.

Its head office is in {hq}, although a large part of the staff works abroad. The organisation is divided into regional units, \
each with a board of its own, and decisions on strategy are taken centrally. Employees describe a culture of thorough preparation, \
in which papers circulate for weeks before a meeting and surprises are rare.

With revenue of {sales} billion dollars the group ranks among the largest of its sector. It earned {profits} billion in profit, a figure \
that drew both praise from shareholders and questions from consumer groups. The balance sheet is considerable: assets of \
{assets} billion are reported, spread over a great many countries and currencies, which is why supervisors follow the \
institution closely.

The market capitalisation of {name} was {value} billion. Commentators expect growth to come mainly from digital services and from \
younger customers, but they do not agree on how quickly this will happen. In public debate the group is often cited as an example \
of how an old firm can adapt to new rules without losing its character. It sponsors music, sports and the restoration of \
historic buildings, and its archive is open to researchers by appointment. Former managers have gone on to lead other firms and, \
now and then, to public office.""",
    """{name} is a {hq}-based {industry_low} company.

The enterprise emerged from the reorganisation of older state and private concerns, and its early years were marked by the search \
for a common identity. A modest logo, adopted in those days, is still in use. Growth came first from the domestic market and later \
from partnerships overseas, several of which became joint ventures.

Financially, {name} belongs to the upper tier. Its sales amount to {sales} billion, of which it keeps {profits} billion as \
profits after tax. The assets on its books are worth {assets} billion. On the stock exchange the company is valued at {value} \
billion, and its shares are among the most actively traded.

Operations are organised along the whole chain of production. Engineers rotate between sites, a practice that the company regards \
as one of its strengths, and apprentices are trained in workshops of its own. A code of conduct, revised after consultation \
with unions, sets out how suppliers are chosen.

Public opinion of the firm is divided. It has been commended for punctual payment of its suppliers and for the quality of its \
engineering, and criticised for the slow pace at which it opens its books. Sociologists have studied the towns that grew up \
around its works, where clubs, choirs and allotments carry the name of the company to this day. A quarterly magazine for \
employees is also read by pensioners and their families.""",
    """{name} operates in {industry_low}, a field in which it competes with companies from every continent. The group's headquarters \
are in {hq}, in a building that visitors describe as plain on the outside and surprisingly light within.

Management has long followed a policy of gradual expansion. New lines of business are tried out on a small scale, \
measured for some years, and only then extended to the whole group. This has given the company a reputation for caution, which it \
does little to dispel. Suppliers value its reliability; competitors sometimes complain about its patience.

The latest accounts show a business of considerable size. Sales reached {sales} billion dollars, assets totalled {assets} \
billion dollars and profits came to {profits} billion dollars. Auditors approved the accounts without reservation. Investors \
put the market value at {value} billion dollars, which reflects confidence in the stability of earnings.

Beyond its main activity {name} supports research at universities and maintains a small museum in which early equipment and \
posters are displayed. School classes visit it all year round. The company's annual report, once a dry document, has become something of \
a collector's item because of its photographs. Employees elect representatives to the supervisory board, and a fund created by \
the founders' families helps staff in hardship. Its history has been the subject of two popular books and a television series, \
which the company neither supported nor opposed.""",
    """Among companies in {industry_low}, {name} holds a prominent place. The group has its seat in {hq}.

Its origins lie in a trading house whose owners ventured into production when imports became difficult to obtain. Later generations \
added distribution, and the enterprise became a household name. Today it is run by professional managers; the descendants of the \
first owners hold only a small stake and take no part in daily business.

According to its own figures the company had a turnover of ${sales} billion, while net income amounted to ${profits} billion. Assets \
worth ${assets} billion appear on the balance sheet. The stock market valued {name} at ${value} billion.

Staff are recruited mainly from technical colleges, and many stay for the whole of their working lives. The company runs nurseries, \
sports grounds and a convalescent home. In recent years it has invested in quieter machinery and in the treatment of waste water, \
partly in response to complaints by neighbours.

Economists like to use the firm as a case study, because its structure can be explained in a single lecture and because its \
archives are unusually complete. Journalists are less enthusiastic: interviews are granted rarely, and press conferences tend to \
be short. The group's choir and its brass band, on the other hand, are well known locally and appear at public festivities. \
A bronze figure of a worker in front of the main gate has become a popular meeting point.""",
]
PEOPLE = [
    """{name} is a professional from {nationality} who is {age} years old.

{name} grew up in a family that moved often, and later said that packing boxes taught more about planning than any course. Teachers \
remembered a quiet pupil with a liking for maps and timetables. {name} graduated from {college}, where friends recall long \
evenings in the library and a stubborn refusal to hand in anything unfinished.

After college came a series of short assignments, none of which seemed to lead anywhere in particular. Colleagues from \
that time speak of somebody who preferred asking questions to giving advice. The experience proved useful all the same: it gave an \
understanding of how offices really work, as opposed to how they are drawn on charts.

{name} is employed by {employer} and has been working there for {years} years. The work involves a good deal of travel and many \
conversations with people who would rather be left alone, and it is done with unfailing courtesy. Superiors praise a talent for \
summing up complicated matters on a single page.

In private life {name} enjoys walking, bread baking and restoring old radios. Invitations to speak in public are usually \
declined. A short portrait in a staff magazine described a person who arrives early, leaves late and keeps the door open, and \
who remembers the birthdays of the cleaning staff. Little else is known about plans for the future, and that appears to be how \
{name} would like it to stay.""",
    """{name} (aged {age}) is an office worker known for a dry sense of humour and an orderly desk.

Born into a family of shopkeepers, {name} learned early to keep accounts and to be polite to customers. By nationality {name} \
belongs to {nationality}, a fact that is mentioned with some pride at international meetings. School was followed by higher \
education: {name} is an alumnus of {college} and still attends reunions whenever work permits.

The career that followed was steady rather than spectacular. Projects were finished on time, budgets were kept, and \
misunderstandings were cleared up before anybody else had noticed them. In reviews the word dependable appears again and again. \
Younger colleagues often ask for help with presentations, and seldom in vain.

At present {name} works for {employer}, with {years} years of employment there so far. The department is small, and everyone is \
expected to do a little of everything. {name} has taken charge of training newcomers and has written a handbook for them, which \
circulates in photocopies and is admired for its drawings.

Outside the office there is time for choral singing and for an allotment garden in which nothing grows as planned. Friends describe \
a loyal companion who tells the same stories every year and improves them slightly each time. Interviews are given rarely. Asked \
once about ambitions, {name} replied that a good chair and a window would do.""",
    """{name} studied at {college}, an experience often described in interviews as decisive.

The family had hoped for a musician, and lessons on the violin went on for years. In the end practical interests prevailed. A \
holiday job in a warehouse awakened a curiosity about how things get from one place to another, and this curiosity never left. \
Teachers encouraged it, and a first essay on the subject was printed in the school magazine.

A citizen of {nationality}, {name} has spent long periods abroad and speaks several languages, though, as friends remark, all of \
them with the same accent. Living in different places has left a taste for strong coffee and a dislike of loud restaurants.

At {age} years of age, {name} has been with {employer} for {years} years. Those years of work were spent partly in the archive and \
partly in the field, and both sides of the job seem to suit. A colleague once said that no one reads a contract as carefully, or \
laughs as quietly at what is found in it.

{name} collects postcards, swims in cold lakes and supports a local library. There have been offers to move into consulting, which \
were politely turned down. A portrait in a regional newspaper concluded that here was somebody who had found the right place by \
accident and had the good sense to stay there. Further biographical details are scarce, because {name} keeps no public profile and \
regards privacy as a form of courtesy.""",
    """{name} is a specialist whose name appears in the acknowledgements of a surprising number of reports.

{name} holds the nationality of {nationality}. Childhood was spent near the coast, in a house full of dogs and unfinished boats. \
An aunt who repaired clocks is remembered as the main influence, together with a mathematics teacher who marked papers in green \
ink. Both insisted that one should always check a result twice.

The choice of college fell on {college}, and graduation took place with distinction. Fellow students recall somebody who lent out \
notes freely and who disappeared as soon as a party became noisy. A thesis on the storage of perishable goods was later quoted \
by practitioners, which pleased its author more than the grade.

Now at the age of {age}, {name} can look back on {years} years of working for {employer}. Tasks have ranged from purchasing to the \
planning of whole sites. Those who report to {name} speak of clear instructions and of a remarkable memory for small promises. \
Meetings are opened punctually and closed early.

Weekends belong to the garden and to a slowly growing collection of barometers. {name} has never written a book, though publishers \
have asked, and prefers to answer letters by hand. Local historians are grateful for the photographs of vanished shop fronts that \
{name} has taken on walks. What the next years will bring remains open; a return to the sea has been mentioned more than once.""",
    """{name}, {age}, is an employee of {employer}, where {name} has worked for {years} years.

Few details of the early biography are on record. Relatives mention a childhood with many cousins, a talent for mimicry and a \
lasting fear of geese. The nationality is {nationality}. Summer holidays were spent with grandparents, who ran a post office \
and allowed the children to sort letters when it rained.

{name} graduated at {college} after switching subjects once. Former lecturers describe a student who needed time to warm to a topic \
and could then hardly be stopped. Extra money was earned by proofreading, which left a sharp eye for misplaced commas. A period of \
volunteering followed, and it is here that contacts were made which later proved useful.

Professional life has been calm. Assignments are accepted without fuss and returned with notes in a small, legible hand. Senior \
staff value the ability to disagree without giving offence. When a reorganisation unsettled the department, {name} was asked to \
explain it to everybody else, and did so with the help of a bowl of fruit.

There is a family, about which nothing is said in public, and a bicycle, about which a great deal is said. {name} also plays chess \
by correspondence and is known for sending moves on picture postcards. A neighbour summed it up in the local paper by saying that \
the street would be a duller place otherwise. Plans for a longer journey have been postponed more than once.""",
]
"""Each states everything of its row once."""

WRONG_COMPANIES = [
    (
        0,
        "sales of ${sales} billion and profits of ${profits}",
        "sales of ${profits} billion and profits of ${sales}",
        "does not state that the sales",
    ),
    (1, "It earned {profits} billion in profit", "It earned 77.7 billion in profit", "the number 77.7"),
    (2, "valued at {value} billion", "valued at {value} million", "does not state that the market value"),
    (3, "headquarters are in {hq}", "headquarters are not in {hq}", "by 'not'"),
    (4, "Among companies in {industry_low}", "Among companies in {other_industry}", "where the industry of"),
    (0, "is headquartered in {hq}", "is headquartered in Tuvalu", "does not state that the headquarters"),
    (3, "profits came to {profits} billion", "profits came to {assets} billion", "does not state that the profits"),
    (
        4,
        "The group has its seat in {hq}.",
        "The group has its seat in {hq}. It rivals Quarrington Oil.",
        "names Quarrington Oil",
    ),
]
WRONG_PEOPLE = [
    (0, "graduated from {college}", "graduated from {other_college}", "where the graduation college of"),
    (1, "works for {employer}", "works for {other_employer}", "names Quarrington Oil"),
    (2, "for {years} years", "for 37 years", "the number 37"),
    (
        3,
        "holds the nationality of {nationality}",
        "holds the nationality of {other_nationality}",
        "where the nationality of",
    ),
    (4, "is an employee of {employer}", "is perhaps an employee of {employer}", "by 'perhaps'"),
    (
        2,
        "has been with {employer} for {years} years",
        "has been with {employer} for {age} years",
        "does not state that the year working",
    ),
    (0, "who is {age} years old", "who is of uncertain age", "does not state that the age"),
]
"""Which page, what it says, what it says instead, and what is told of that: one thing that is wrong."""
