//! English words that are put for each other without a change of what is said.

/// Each group by its words in their base form, divided by blanks; of two words, `_` stands between them.
#[rustfmt::skip]
pub(super) const GROUPS: &[&str] = &[
    // Who.
    "company firm business corporation enterprise", "maker manufacturer producer", "country nation", "people person individual resident inhabitant citizen", "employee staff worker workforce personnel",
    "child kid", "doctor physician", "lawyer attorney", "leader head chief boss", "head_of lead run", "founder founded", "user customer client", "student pupil", "author writer", "driver motorist",
    "shop store retailer outlet", "film movie", "car vehicle automobile", "plane aircraft aeroplane airplane", "bike bicycle", "truck lorry", "house home", "flat apartment", "town city", "road street",
    "plant factory facility", "school academy", "shareholder investor stockholder", "government administration authority", "regulator watchdog", "expert specialist", "rival competitor",
    // What is done to things.
    "start begin launch commence", "start begin open", "end finish conclude complete", "stop halt cease discontinue suspend", "use employ utilize utilise apply rely", "use usage utilization utilisation",
    "make produce manufacture build construct create", "make production manufacturing", "build construct construction erect", "buy purchase acquire", "buy acquisition takeover take_over", "sell sale",
    "sell sale market", "help assist aid support", "help allow enable", "need require necessary must have_to requirement", "need demand", "show demonstrate indicate reveal find suggest", "show display",
    "contain include comprise consist have", "run operate manage lead", "give provide offer supply deliver grant", "get receive obtain", "get gain win", "reach hit attain achieve total amount",
    "remain stay continue keep", "founded set_up establish create start launch foundation", "join hire recruit appoint employ become", "leave quit resign depart step_down", "approve pass adopt enact approval",
    "approve consent approval accept agree agreement", "reject refuse turn_down decline dismiss vote_down", "lead cause trigger prompt result bring_about", "because due owing", "cause reason", "change modify alter amend adjust revise",
    "choose select pick choice", "move shift transition migrate relocate", "look examine investigate study review", "allow permit enable let", "prohibit ban forbid outlaw", "store keep hold", "save store",
    "try attempt seek effort", "plan intend aim intention", "expect forecast project predict anticipate", "associate link correlate tie connect", "fix repair mend", "delete erase remove", "remove withdraw take_out",
    "publish release issue publication", "publish print", "announce declare announcement", "win gain take earn", "lose loss", "lead leader", "teach train coach instruct", "translate translation render", "order book", "lend loan",
    "borrow loan", "pay spend payment", "cost price expense", "cost spend", "cost priced", "fund finance funding funded_by", "fund pay_for", "invest investment put", "raise collect", "hire rent lease", "plan schedule", "delay postpone put_off defer",
    "cancel scrap call_off drop", "cut reduce lower shorten short", "cut slash", "grow expand rise increase climb gain up", "grow growth", "fall drop decline decrease down", "fall sink", "fall drop decline decrease cut reduce", "improve better enhance", "worsen deteriorate", "destroy destruction wreck ruin",
    "damage harm hurt", "kill die dead death fatality fatal perish casualty", "injure wounded hurt injury", "evacuate leave", "rescue save", "attack assault", "arrest detain", "sue lawsuit litigation sue_for take_to", "protect guard safeguard",
    "prevent stop avoid avert", "treat treatment therapy", "detect spot identify notice", "measure gauge", "test trial try", "check inspect inspection examine", "compare comparison", "count number", "calculate compute estimate",
    "send ship dispatch", "carry transport", "bring take", "visit attend", "travel go trip journey", "live reside", "born birth", "marry wed marriage wife husband", "meet encounter", "talk speak discuss", "decide decision resolve", "decide choose",
    "vote elect election", "name call title", "name appoint", "design develop devise", "develop development", "invent create", "discover find discovery", "write author compose", "play perform performance", "record register log",
    "cover span stretch extend", "extend lengthen prolong", "locate lie situate based sit", "consume use", "generate produce", "convert turn transform", "connect join link", "divide split", "combine merge", "merge merger", "add extra additional",
    "follow succeed", "follow track", "replace substitute take_over", "warn caution", "criticize criticise criticism critic", "oppose against opposition resist", "support back favour favor endorse", "exempt abolish exemption", "encrypt encryption",
    "qualify eligible", "happen occur take_place", "hold take_place stage host", "close shut closure shut_down close_down", "open opening inaugurate", "reopen open_again", "force make compel oblige", "urge call_on", "ask request", "answer reply respond response",
    "appeal call", "claim say", "think believe", "know aware", "tell say inform", "explain explanation describe", "describe call", "mean represent", "equal same", "belong own", "own possess hold", "share divide", "grow cultivate", "feed eat",
    "switch change", "increase increment", "limit cap restrict restriction", "limit ceiling", "ensure guarantee", "supply source", "serve act work", "work function", "process handle", "handle deal", "install fit", "load charge", "host house", "ripen mature",
    // What things are like.
    "big large major huge significant substantial considerable", "big great", "small minor modest slight little", "quick fast rapid swift", "slow slowly", "important key crucial essential critical vital", "hard difficult challenging tough",
    "easy simple", "new recent", "old former previous", "old aged elderly", "near nearly almost", "main chief primary principal", "whole entire full all", "high tall height", "long length", "wide width broad", "deep depth", "strong strength", "weak weakness",
    "cheap inexpensive affordable", "expensive costly", "rich wealthy", "poor poverty", "safe safety secure", "dangerous hazardous risky", "risk danger hazard", "rare uncommon", "common widespread frequent", "famous known renowned", "free no_cost gratis",
    "annual yearly year", "monthly month", "weekly week", "daily day", "hourly hour", "quarterly quarter", "twice two double", "single one", "half halve", "first initial", "last final", "public state", "legal lawful", "illegal unlawful crime criminal", "clear obvious",
    "enough sufficient", "wrong incorrect", "right correct", "true accurate", "same identical equal", "different distinct", "near nearby", "outside beyond", "inside within", "complete full", "broken faulty defective", "faulty defect fault", "healthy health",
    "tall high", "outlast last",
    // Things.
    "goal target objective aim", "rule regulation law act legislation", "law bill", "study research analysis paper survey trial investigation", "report study analysis", "result outcome finding", "method approach technique", "fire blaze", "job post position work", "money fund cash",
    "revenue turnover sales", "profit earnings", "pay salary wage", "increase rise growth", "decrease fall decline drop reduction", "area region zone", "part portion share", "type kind sort", "problem issue", "error mistake fault", "illness disease sickness condition",
    "drug medicine medication", "hospital clinic", "site place location", "building structure", "picture image photo photograph", "book novel", "game match", "prize award", "war conflict", "agreement deal contract treaty", "gap difference", "advantage benefit", "fee charge",
    "tax levy", "energy power", "electricity power", "gas petrol fuel", "weather climate", "sea ocean", "forest wood", "beginning start", "end closing", "amount quantity volume", "degree level", "speed pace rate", "weight mass", "message text", "phone mobile telephone",
    "ability capacity able can capable", "capacity output", "chance probability likelihood", "need necessity", "view opinion", "idea concept", "role part", "chapter section", "list table", "date day", "period time", "evidence proof", "member part", "funding money",
    "bankrupt bankruptcy insolvent insolvency", "fraud fraudulent scam", "convict conviction guilty", "toxic poison poisonous", "lay_off dismiss fire sack job cut", "cut job lay_off",
    "population inhabitant resident people", "workforce employee employ staff personnel people", "worth value valued", "share stock", "share hold", "require must", "permit permission licence license",
    "subsidiary belong part", "put_off postpone delay", "cheap cost_less", "postponement delay", "stop no_longer", "resignation resign quit step_down", "approval approve pass", "expansion expand", "arrival arrive", "departure depart leave", "closure close shut", "opening open", "growth grow", "height tall high", "width wide",
    "length long", "depth deep", "weight weigh heavy", "cost price", "death die", "birth born", "loss lose", "sale sell", "purchase buy acquire", "choice choose", "proof prove", "belief believe", "advice advise", "attendance attend visitor", "flaw vulnerability bug defect", "flood flooding", "household home",
    "electricity power", "renovate renovation refurbish", "demolish demolition tear_down", "introduce introduction", "extension extend", "explosion explode", "collapse collapsed", "invasion invade", "permission permit allow",
    "percent percentage share proportion", "quarter fourth", "dozen twelve", "century hundred", "summit peak top", "coast shore", "crew team",
];
