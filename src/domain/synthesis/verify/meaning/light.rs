//! Words that claim nothing by themselves: those that hold a sentence together, verbs that only lead to what is said, frames.

/// By language, as [`crate::domain::text::language::told`] names it; each in small letters.
#[rustfmt::skip]
pub(super) const LIGHT: &[(&str, &str)] = &[
    ("English",
     "a about after all also an and any are as at be been before being between both but by can could did do does doing for from had has have he her here his if in into is it its just may me might more most must my not of on or our she should \
      some than the their them then there these they this those to too very was we were when who will with would you your against among although because however subject again later prior previous throughout regularly subsequent subsequently decide decided range ranges exclusively earlier early late began begin begun \
      according account accounted actually addition additional additionally allow allows allowed alone alongside already another anything apart appear appears approximately area areas aspect aspects aside available away \
      back based basis be became become becomes becoming behind belong belongs beyond briefly bring brings brought came case cases certain circumstances come comes common commonly compared comparison comprise comprises concern concerned \
      concerning consist consists contain contains context could current currently describe described describes despite detail details directly done down due during each earlier either else enough especially etc even eventually ever every \
      everyone exact exactly example exist exists existing explain explained explains fact far feature features find finding findings finds first following follows former found further furthermore gave general generally get gets give given gives \
      giving go goes going got group groups had happen happened happens having hence hold holds how however important include included includes including indeed indicate indicated indicates information instead involve involved involves issue issues \
      keep keeps kept kind known last latter lead leading leads least led less level levels like likewise located look made main mainly major make makes making many matter matters mean means meant meanwhile mention mentioned mentions moreover much \
      namely near nearly need needs nevertheless next nonetheless notably note noted notes noting now number numbers occur occurred occurring occurs off often once one ones only onto opposed order others otherwise out outside overall own part particular \
      particularly parts people per perform performed place places plus point points possible previously primarily provide provided provides providing put rather reach reached reaches reaching receive received receives recent recently refer referred \
      refers regard regarding regards related relating relation remain remained remains reported reportedly respect respective respectively respectively result resulted resulting results role said same saw say saying says see seem seemed \
      seems seen serve served serves set several show showed showing shown shows similar similarly since situation so someone something source sources specific specifically stand stands state stated states stating still subject such take taken takes \
      taking tell tells term terms thanks that therefore thereby thing things though thus time times together told took total totalled totalling totaled totaling toward towards turn turned type under unlike until up upon use used uses using usually \
      various versus via way ways well went what whatever where whereas wherever which while whole whose within without work worked works yes yet \
      cause caused change changed end ended seek sought want wants wanted try tried tries trying plan plans planned planning propose proposed proposes intend intends intended expect expected expects aim aims aimed estimate estimated estimates \
      claim claims claimed critics argue argues argued believe believes believed warn warned warns announce announced announces add added adds conclude concluded concludes suggest suggests suggested confirm confirmed confirms cite cites cited call \
      called calls name named names title titled entitled remark remarked observe observed observes emphasize emphasized emphasizes emphasise emphasised stress stressed stresses highlight highlights highlighted point pointed underline underlined \
      company firm person man woman two three four five six seven eight nine ten eleven twelve half third quarter dozen hundred thousand million billion percent percentage"),
    ("German",
     "aber ab alle allem allen aller alles allerdings als also am an andere anderen anderer anderes auch auf aufgrund aus außerdem bei beim bereits besonders betrug beträgt bis bisher bleiben bleibt blieb da dabei dadurch dafür dagegen daher damit danach \
      daneben dann daran darauf daraus darf darin darüber das dass davon dazu dazu dem den denen denn der deren derzeit des dessen die dies diese diesem diesen dieser dieses doch dort durch dürfen dürfte eher eigene eigenen ein eine einem einen einer eines \
      einige einigen einmal einschließlich er erhält erhielt erst erste es etwa etwas ferner folgende für fest gab ganz gegen gegenüber gehört gehören gemäß gemacht genau gibt ging gilt gelten habe haben hat hatte hatten her heute hier hin hinaus hinter hoch ihr ihre ihrem ihren \
      ihrer ihres im immer in indem infolge innerhalb insbesondere insgesamt ist ja je jede jedem jeden jeder jedes jedoch jetzt jeweils kann können könnte kam kommen kommt konnte konnten lag laut liegen liegt ließ lassen lässt machen macht machte man mehr mehrere \
      mit mittels muss müssen musste mussten möglich nach nachdem nahm namens neben nehmen nimmt noch nun nur ob obwohl oder ohne per pro rund sagt sagte sagen schon sehr sei seien sein seine seinem seinen seiner seines seit seitdem selbst sich sie sind so sobald \
      sodass sofern sogar solche sollen sollte sondern sonst sowie sowohl stammt stammen stand statt steht stehen trotz tun über um und unter vom von vor wann war waren warum was wegen weil weiter weitere weiteren welche welcher wenn wer werde werden wie wieder will wird wo \
      wobei wodurch wollen wurde wurden während zeigt zeigte zeigen zu zudem zufolge zum zur zusammen zwar zwischen zwei drei vier fünf sechs sieben acht neun zehn elf zwölf erklärt erklärte berichtet berichtete behauptet behauptete behaupten heißt hieß genannt worden wäre \
      zurück weg fort heran zusammen dort bzw ca etc beide beiden bestehen besteht umfasst umfassen erfolgt erfolgte geworden führt führte führen"),
    ("French",
     "a à afin ainsi alors après au aucun aucune aujourd aujourd'hui auprès auquel aussi autour autre autres aux avaient avait avant avec avoir ayant beaucoup bien c ça car ce ceci cela celle celles celui cependant certains certaines ces cet cette ceux chaque chez ci comme \
      comment concernant contre d dans de déjà depuis des dès dire dit disent donc dont du durant elle elles en encore enfin entre environ est et étaient était étant été être eu eut eux fait faire faisait fit font furent fut hors il ils indique indiqué j jusqu jusqu'à l la là laquelle le \
      lequel les lesquels leur leurs lors lorsque lui l'un m même mêmes mis moins n ne ni nombre non nos notamment notre nous on ont or ou où outre par parce parmi pas pendant permet permettent peu peut peuvent plus plusieurs pour pourquoi pourrait pouvait près presque puis puisque \
      qu quand que quel quelle quelles quels qui quoi reste restent s sa sans se selon sera seraient serait seront ses si sien soit son sont sous souvent sur t tandis tant te tel telle tels tous tout toute toutes très trop trouve trouvent un une va vers via voici vont vos votre vous y \
      deux trois quatre cinq six sept huit neuf dix onze douze affirme affirmé déclare déclaré explique expliqué ajoute ajouté rapporte rapporté compte comptent comprend comprennent"),
    ("Spanish",
     "a además ahora al algo algunas algunos ante antes aquel aquella así aunque bajo bastante bien cada casi como con contra cual cuales cuando cuanto cuya cuyo de debe deben debido del dentro desde después dice dicen dicho dijo donde dos durante e el él ella ellas ellos en encima \
      encuentra encuentran entonces entre era eran es esa esas ese eso esos esta está están estaba estaban estar estas este esto estos fue fueron gracias ha haber había habían hace hacen hacer hacia hará hasta hay hecho hizo hoy incluso incluye incluyen indica indicó junto la las le les \
      lo los luego más mediante menos mientras misma mismo mucho muchos muy nada ni ningún no nos nuestra nuestro o os otra otras otro otros para pero poco podría por porque primer primera primero propio pudo puede pueden pues que qué queda quien quienes se sea según ser será serán si sí siendo \
      sido sin sino sobre son su sus tal también tan tanto tener tenía tiene tienen toda todas todavía todo todos tras trata través tres tuvo un una unas uno unos usted va van varias varios ya y cuatro cinco seis siete ocho nueve diez once doce afirma afirmó explica explicó señala señaló añade añadió \
      cuenta cuentan realiza realizó lleva llevó"),
    ("Italian",
     "a abbia ad agli ai al alcune alcuni all alla alle allo altra altre altri altro anche ancora appena avere aveva avevano avuto bene c che chi ci ciascuno cioè circa come con contro cosa così cui d da dagli dai dal dall dalla dalle dallo davanti degli dei del dell della delle dello dentro di dice \
      dicono detto disse dopo dove due durante e è ed era erano entro essere esso fa fanno fare fatto fino fra fu furono già gli grazie ha hanno ho i il in infatti infine inoltre insieme intorno invece io l la le lei lo loro lui ma mediante meno mentre molto ne nei nel nell nella nelle nello no noi non nostro \
      o ogni oltre ora oppure per perché però più poco poi presso prima proprio può possono qua quale quali quando quanto quasi quattro quella quelle quelli quello questa queste questi questo qui quindi resta s sarà saranno se secondo sei sempre senza si sia sono sopra sotto stata state stati stato stesso su \
      sua sue sugli sui sul sull sulla sulle sullo suo suoi tale tali tanto tra tramite tre trova tutta tutte tutti tutto un un' una uno va verso vi viene vengono venne via cinque sette otto nove dieci undici dodici afferma spiega aggiunge comprende"),
    ("Portuguese",
     "a à ainda além algumas alguns ante antes ao aos apenas após aquela aquele às as assim até bem cada cerca com como contra cuja cujo da das de dela dele deles depois desde dessa desse desta deste deve devem devido diz disse dizem do dois dos duas durante e é ela elas ele eles em enquanto entre era eram \
      essa essas esse esses esta está estão estar estas estava este estes eu faz fazem fazer feito fez fica ficam foi foram for fora graças há havia inclui incluem incluindo isso isto já junto lá lhe logo mais mas me mediante menos mesma mesmo muito na nas não nem nessa nesse nesta neste no nos nós nossa nosso num numa \
      o onde os ou outra outras outro outros para pela pelas pelo pelos per perante pode podem poderia pois por porque porém pouco própria próprio quais qual quando quanto quase quatro que quem realiza realizou se segundo seja sem sempre sendo ser será serão seu seus si sido só sob sobre sua suas tal também tão \
      tem têm tendo ter teve tinha toda todas todavia todo todos três tudo um uma umas uns vai vão vários cinco seis sete oito nove dez onze doze afirma afirmou explica explicou acrescentou conta"),
    ("Dutch",
     "aan al alle alleen als andere ben bij binnen bleef blijft daar daarna dan dat de deze die dit door dus een en er gaan gaat ge geen geweest gaf geeft geworden had hadden heb hebben heeft hem het hier hij hoe hun ik in is ja je jaar kan komt kon kunnen laat maar maken maakt maakte meer men met moet moeten na naar niet nog \
      nu of om omdat onder ons ook op over per rond sinds te tegen ten ter terwijl toch toen tot tussen twee uit van veel verder via vier vijf volgens voor waar waren was wat we wel welke werd werden wie wil worden wordt zal ze zegt zei zich zij zijn zo zoals zonder zou drie"),
    ("Russian",
     "а без более больше будет будут бы был была были было быть в вам вас ведь весь во вот все всего всех вы где да даже для до его ее её если есть еще ещё же за здесь и из или им имеет имеют их к как какой когда который которая которое которые кто лет ли либо между менее меньше мне может могут можно мы на над него \
      нее неё ней нём ним них но о об один одна одно около он она они оно от перед по под после потом потому почти при про против раз с сам свой своих сейчас со собой составил составила составило составляет сообщил сообщила сообщает так такая такие такой также там те тем теперь то того тоже той только том ту тут ты у уже \
      хотя чего чей чем через что чтобы чуть эта эти это этого этой этом этот эту я является являются стал стала стали стало два две три четыре пять шесть семь восемь девять десять год года году сказал сказала говорит заявил заявила заявили"),
];
/// Characters and words of Chinese and Japanese that claim nothing, longer ones first.
#[rustfmt::skip]
pub(super) const WIDE: &[&str] = &[
    "根据", "据悉", "据报", "报道", "报告", "表示", "指出", "显示", "表明", "认为", "其中", "此外", "另外", "同时", "因此", "然而", "目前", "已经", "可以", "能够", "以及", "并且", "而且", "或者", "为了", "由于", "因为", "所以", "通过", "关于", "对于", "至于", "等等", "进行", "属于", "作为", "成为", "拥有", "具有",
    "包括", "达到", "约为", "之一", "之间", "之后", "以来", "以后", "以前", "之前", "时候", "方面", "这些", "那些", "这个", "那个", "该项", "一个", "一家", "一种", "一项", "公司", "如果", "假如", "倘若", "一旦", "虽然", "但是", "不过", "则是", "就是", "的话", "来说", "称为", "名为", "来自",
    "によると", "によれば", "について", "という", "として", "ため", "こと", "もの", "場合",
    "的", "了", "在", "是", "和", "与", "及", "或", "也", "都", "而", "对", "等", "之", "其", "将", "并", "且", "就", "着", "过", "把", "被", "以", "于", "为", "地", "得", "所", "由", "从", "向", "到", "给", "让", "使", "令", "会", "可", "能", "要", "已", "曾", "还", "又", "再", "更", "很", "最", "这", "那", "该", "此", "每", "各", "某",
    "个", "名", "家", "位", "件", "项", "种", "次", "座", "条", "台", "辆", "列", "有", "用", "自", "若", "如", "则", "因", "称", "说", "据", "来", "成", "做", "作", "共", "约", "者", "们", "本", "社", "氏", "后", "中",
];
