//! Words of other languages that are put for each other without a change of what is said, and forms of one verb that no stemmer knows
//! as such.

/// By language; each group by its words, divided by blanks. They are compared by their stems.
#[rustfmt::skip]
pub(super) const GROUPS: &[(&str, &[&str])] = &[
    ("German", &[
        "gründen gegründet errichten aufbauen schuf schaffen geschaffen", "beginnen begann begonnen starten anfangen fing", "enden endete beenden abschließen abgeschlossen schloss", "schließen schließt schloss geschlossen schließung", "öffnen eröffnen geöffnet öffnung eröffnung",
        "kaufen erwerben erwarb erworben übernehmen übernahm übernommen übernahme kauf", "verkaufen veräußern verkauf", "sinken sinkt sank gesunken fallen fiel gefallen zurückgehen senken gesenkt", "steigen stieg gestiegen wachsen wuchs gewachsen zunehmen zunahm zugenommen erhöhen",
        "verringern reduzieren senken mindern vermindern", "erlauben gestatten zulassen genehmigen genehmigt bewilligen", "verbieten verbot verboten untersagen", "ablehnen abgelehnt zurückweisen verwerfen", "zustimmen billigen annehmen verabschieden beschließen beschloss beschlossen zustimmung",
        "veröffentlichen herausgeben publizieren", "mitteilen melden berichten bekanntgeben", "beschäftigen arbeiten angestellt", "bauen baut baute errichten gebaut bau", "herstellen produzieren erzeugen fertigen", "brauchen benötigen erfordern", "nutzen benutzen verwenden einsetzen gebrauchen", "helfen unterstützen half geholfen",
        "erhalten bekommen erhielt bekam", "gewinnen gewann gewonnen erringen errang", "verlieren verlor verloren", "verlassen verließ", "ziehen zog gezogen", "bleiben blieb geblieben", "geben gab gegeben", "nehmen nahm genommen", "kommen kam gekommen", "gehen ging gegangen", "schreiben schrieb geschrieben", "lesen las gelesen",
        "sprechen sprach gesprochen", "finden fand gefunden", "bieten bot geboten", "tragen trug getragen", "treffen traf getroffen", "werben warb geworben", "sterben starb gestorben tot tödlich", "töten getötet tot", "tun tat getan", "bringen brachte gebracht", "denken dachte gedacht", "leiten führen geleitet leitung",
        "groß größte größer", "klein gering", "schnell rasch", "billig günstig preiswert", "teuer kostspielig", "jährlich jahr jährliche", "monatlich monat", "wöchentlich woche", "täglich tag", "stündlich stunde", "rund etwa ungefähr circa knapp", "pflegen betreuen", "reparieren instandsetzen beheben", "lindern mildern", "zahlungsunfähig insolvent bankrott pleite",
        "versuchen versucht versuch", "planen plant geplant beabsichtigen", "leben wohnen", "fordern verlangen", "warnen mahnen", "betreiben betrieb betrieben betreibt", "verursachen auslösen verursacht bewirken", "kostenlos gratis unentgeltlich", "notwendig nötig erforderlich",
    ]),
    ("French", &[
        "fonder créer établir lancer fondation", "commencer débuter démarrer", "finir terminer achever", "fermer fermeture", "ouvrir ouvert ouvre ouvrira ouverture inaugurer", "acheter acquérir acquis racheter rachat achat", "vendre vendu vente céder", "baisser diminuer reculer chuter baisse", "augmenter croître progresser hausse augmentation",
        "réduire réduit diminuer", "permettre permis autoriser", "interdire interdit", "rejeter refuser rejet", "approuver adopter accepter voter approbation", "publier publication paru paraître", "construire construit bâtir construction", "produire produit fabriquer production", "utiliser employer utilisation", "aider soutenir soutien",
        "recevoir reçu obtenir obtenu", "remporter gagner", "perdre perdu perte", "quitter parti départ partir", "rejoindre rejoint intégrer entrer", "prendre pris prend", "mettre mis met", "tenir tenu tient", "venir venu vient", "faire fait", "écrire écrit", "traduire traduit", "conduire conduit", "mourir mort décès décéder tuer", "diriger dirige mener",
        "grand important", "petit faible", "rapide vite", "annuel annuellement an année ans", "mensuel mois", "hebdomadaire semaine", "quotidien jour journée", "horaire heure", "environ près quelque", "soulager apaiser", "réparer réparation", "proposer offrir offert offre", "tenter essayer tentative", "prévoir envisager projeter", "provoquer causer entraîner", "vivre habiter", "gratuit gratuitement",
        "société entreprise compagnie firme", "usine fabrique", "salarié employé", "souris souriceau", "devoir doit",
    ]),
    ("Spanish", &[
        "fundar crear establecer fundación", "empezar empieza comenzar comienza iniciar", "terminar acabar finalizar", "cerrar cierra cierre cerrará", "abrir abierto apertura inaugurar", "comprar adquirir adquiere compra", "vender venta", "bajar caer cayó disminuir descender reducir", "subir crecer aumentar creció aumento subida", "permitir autorizar", "prohibir prohibido",
        "rechazar rehusar denegar", "aprobar aprueba adoptar aceptar aprobación", "publicar publicación", "construir construye construcción", "producir produce produjo fabricar producción", "usar utilizar emplear", "ayudar apoyar", "recibir obtener obtuvo", "ganar obtener", "perder pierde pérdida", "dejar abandonar salir", "incorporar unir entrar ingresar",
        "decir dijo dicho", "poner puso puesto", "ver visto", "traducir tradujo traduce", "escribir escrito", "morir muerto murió muerte matar", "dirigir encabezar", "grande gran", "pequeño reducido", "rápido veloz", "anual anualmente año", "mensual mes", "semanal semana", "diario día", "hora horario", "aproximadamente alrededor cerca unos", "aliviar calmar", "reparar arreglar", "ofrecer ofrece brindar",
        "intentar tratar intento", "prever planear", "causar provocar", "vivir residir", "gratuito gratis gratuitamente", "empresa compañía sociedad firma", "fábrica planta", "empleado trabajador", "eliminar suprimir", "querer quiere", "conseguir consigue logra lograr", "celebrar celebra", "pedir pide solicitar",
    ]),
    ("Italian", &[
        "fondare creare istituire", "cominciare iniziare avviare", "finire terminare concludere", "chiudere chiuso chiusura", "aprire aperto apertura inaugurare", "comprare acquistare acquisire", "vendere vendita", "calare scendere sceso diminuire ridurre ridotto", "salire crescere aumentare aumento", "permettere permesso consentire", "vietare proibire", "respingere respinto rifiutare",
        "approvare adottare accettare", "pubblicare pubblicazione", "costruire costruzione", "produrre prodotto produzione", "usare utilizzare impiegare", "aiutare sostenere", "ricevere ottenere", "vincere vinto", "perdere perso", "lasciare uscire", "entrare entra aderire", "difendere difeso", "scrivere scritto", "tradurre tradotto", "morire morto", "dirigere guidare diretto",
        "annuale anno annualmente", "mensile mese", "settimanale settimana", "giornaliero giorno", "circa quasi", "alleviare lenire", "riparare", "offrire offerto fornire", "tentare provare", "prevedere", "causare provocare", "vivere abitare", "gratuito gratis", "azienda società impresa", "tenere tiene svolgere",
    ]),
    ("Portuguese", &[
        "fundar criar estabelecer", "começar iniciar", "terminar acabar concluir", "fechar encerrar", "abrir aberto inaugurar", "comprar adquirir", "vender venda", "cair diminuir reduzir descer", "subir crescer aumentar", "permitir autorizar", "proibir", "rejeitar recusar", "aprovar adotar aceitar", "publicar", "construir", "produzir fabricar", "usar utilizar", "ajudar apoiar",
        "receber obter", "ganhar vencer", "perder", "deixar sair", "entrar ingressar juntar", "escrever escrito", "traduzir", "morrer morto", "dirigir liderar", "anual ano anualmente", "mensal mês", "semanal semana", "diário dia", "cerca aproximadamente", "aliviar", "reparar consertar", "oferecer", "tentar", "prever", "causar provocar", "viver morar", "gratuito grátis", "empresa companhia sociedade",
    ]),
    ("Dutch", &[
        "oprichten opgericht stichten", "beginnen begon begonnen starten", "sluiten sloot gesloten", "openen opende geopend", "kopen kocht gekocht", "verkopen verkocht", "dalen daalde gedaald", "stijgen steeg gestegen groeien", "weigeren afwijzen afgewezen", "goedkeuren goedgekeurd", "jaarlijks jaar", "maandelijks maand", "wekelijks week", "dagelijks dag", "verlaten verliet", "winnen won gewonnen", "geven gaf gegeven", "nemen nam genomen",
    ]),
    ("Russian", &[
        "основать основал основана создать создал создана учредить", "начать начал начало начинать", "закончить закончил завершить", "закрыть закрыл закроет закрыт закрывать", "открыть открыл откроет открыт открывать открывается", "купить купил куплен приобрести приобрёл приобрел", "продать продал продан", "снизиться снизился упасть упал сократиться уменьшиться", "вырасти вырос выросла увеличиться рост",
        "разрешить разрешил", "запретить запретил", "отклонить отклонил отверг", "одобрить одобрил утвердить утвердил принять принял", "опубликовать опубликовал публикация", "построить построил строить", "производить произвёл произвел производство", "использовать применять", "помочь помог помогать", "получить получил", "выиграть выиграл победить", "потерять потерял", "покинуть покинул уйти ушёл ушла ушел",
        "прийти пришёл пришла пришел", "написать написал", "перевести перевёл перевел", "умереть умер погибнуть погиб", "возглавить возглавил руководить", "ежегодно год ежегодный", "ежемесячно месяц", "еженедельно неделя", "ежедневно день", "около примерно приблизительно", "защищать защитил защита", "лечить лечение", "компания фирма предприятие", "завод фабрика",
    ]),
];
/// Words of Chinese and Japanese, likewise.
#[rustfmt::skip]
pub(super) const WIDE_GROUPS: &[&str] = &[
    "创立 创办 成立 创建 建立 设立 创始", "建立 建成 建造 修建 兴建 建设 建", "开始 启动 开启 展开", "结束 终止 完成", "关闭 关停 关门", "开放 开门 开馆 开业", "购买 收购 买下 购入 买入", "出售 卖出 售出 卖掉", "下降 减少 降低 下跌 下滑 缩减 降至 降", "增长 增加 上升 上涨 提高 提升 升至 升", "允许 准许 许可", "禁止 不准", "驳回 拒绝 否决", "批准 通过 同意 采纳",
    "发布 公布 发表 公开 出版", "宣布 公告", "雇用 雇佣 聘用 员工", "生产 制造 产出", "需要 需 必须 须", "使用 利用 采用 运用", "帮助 协助 支持", "获得 取得 得到 获 荣获", "赢得 获得 夺得", "离开 离职 辞职", "加入 入职 加盟", "提供 给予", "显示 表明 指出", "导致 引起 造成 引发", "治疗 医治", "缓解 减轻 缓和", "修复 修理 维修 修好", "损坏 破坏 受损", "尝试 试图 企图",
    "计划 打算 拟", "预计 预期 预测", "大约 约 近 左右", "每年 年度 一年", "每月 月度", "每日 每天", "每周 每星期", "周一 星期一 礼拜一", "周二 星期二", "周三 星期三", "周四 星期四", "周五 星期五", "周六 星期六", "周日 星期日 星期天 周天", "企业 公司 厂商", "工厂 厂 厂房", "费用 成本 花费", "孩子 儿童 小孩 少儿", "老人 老年人", "医生 大夫", "翻译 译", "举行 举办 召开", "死亡 去世 身亡 丧生",
    "汽车 轿车 车辆", "如果 若 如 假如 倘若 要是", "因为 由于 因", "但 但是 然而 不过", "担任 出任 任", "位于 坐落", "拥有 有 具有", "包括 包含 涵盖", "运营 经营 运作",
    "設立 創設 創立 創業", "開始 始", "終了 終", "閉鎖 閉 閉館", "開館 開 開業", "購入 買 買収", "売却 売 販売", "減少 低下 下落 減", "増加 上昇 増", "承認 可決 認", "否決 却下 拒否", "発表 公表 公開", "雇用 採用 従業員", "製造 生産", "利用 使用 使", "提供 与", "修理 修復 直", "計画 予定", "約 およそ", "毎年 年間", "毎月 月間", "毎日 一日", "毎週 週", "会社 企業", "子供 子ども こども 児童", "死亡 死",
];
