//! The pairs as data.

/// Whether both sides of a pair can be true of the same subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strength {
    /// They can't: `increase` and `decrease`.
    Strong,
    /// They can: `before` and `after`.
    Weak,
    /// They can, and one is often said for the other: `must` and `may`.
    Loose,
}

use Strength::{Loose, Strong, Weak};

/// Words that negate.
#[rustfmt::skip]
pub(super) const NEGATIONS: &[&str] = &[
    "not", "no", "never", "without", "neither", "nor", "none", "nobody", "nothing", "nowhere", "cannot", "fails", "failed", "failing", "failure", "lacks",
    "lacking", "absence", "absent", "refuses", "refused", "impossible",
];

/// Chinese characters that negate.
pub(super) const CHINESE_NEGATIONS: [char; 6] = ['不', '没', '无', '未', '非', '勿'];

/// Words that begin with such a character and negate nothing.
#[rustfmt::skip]
pub(super) const NO_NEGATIONS: &[&str] = &[
    "不同", "不仅", "不断", "不过", "不管", "不论", "不但", "不只", "不少", "不久", "不止", "不低于", "不少于", "不超过", "不到", "不足", "不单", "不妨", "不愧", "不乏",
    "无论", "无人", "无线", "无锡", "无机", "无疑", "无不", "无非", "未来", "未免", "非常", "非洲", "非遗", "没收", "没落", "无监督", "无缝",
];

/// Words that end with such a character and negate nothing.
pub(super) const NO_NEGATIONS_BEFORE: &[&str] =
    &["南非", "北非", "东非", "西非", "除非", "莫非", "是非", "无不", "亚非"];

/// Words that share only their stem with one of a pair: that of `lawful` and `authorize`.
#[rustfmt::skip]
pub(super) const NO_SIDES: &[&str] = &["law", "laws", "author", "authors", "authority", "authorities"];

/// The pairs; the words of one side are divided by spaces. A word belongs to the first pair that has it.
#[rustfmt::skip]
pub(super) const PAIRS: &[(Strength, &[&str])] = &[
    // Up and down.
    (Strong, &[
        "increase rise rose risen double triple quadruple grow grew grown growth climb gain expand expansion raise surge jump soar upward accelerate strengthen improve improvement boost enhance escalate rally appreciate steigt steigen stieg stiegen gestiegen wächst wachsen wuchs wuchsen gewachsen zunahm zugenommen erhöht erhöhte erhöhten anstieg augmente augmentent augmenté augmentation hausse progressé aumenta aumentó aumentaron subió subieron creció crecieron aumentou aumentaram subiu subiram cresceu cresceram aumentato aumentata aumentati aumentate salito salita saliti salite cresciuto cresciuta cresciuti cresciute steeg stegen gestegen groeide toegenomen wzrósł wzrosła wzrosło wzrosły zwiększył zwiększyła вырос выросла выросло выросли увеличился увеличилась увеличилось увеличились возрос возросла 增长 上升 提高 增加 上涨 提升 扩大 上调 加快 加速 增强 改善 升高 攀升 回升 扩张 走高 升值 増加 上昇 拡大 改善 向上",
        "decrease fall fell fallen halve decline drop shrink shrank reduce reduction diminish plunge slump contract downward decelerate weaken worsen deteriorate dwindle depreciate slow sinkt sinken sank sanken gesunken fällt fiel fielen gefallen abnahm abgenommen verringert verringerte verringerten rückgang baisse baissent baissé diminue diminué diminution disminuye disminuyó disminuyeron bajó bajaron cayó cayeron diminuiu diminuíram caiu caíram reduziu diminuito diminuita diminuiti diminuite sceso scesa scesi scese calato calata calati calate daalde daalden gedaald afgenomen spadł spadła spadło spadły zmniejszył zmniejszyła упал упала упало упали снизился снизилась снизилось снизились уменьшился уменьшилась уменьшилось сократился сократилась 下降 减少 下跌 降低 下滑 缩小 下调 放缓 减缓 减弱 恶化 缩减 萎缩 收缩 走低 回落 贬值 削弱 減少 低下 縮小 悪化 下落",
    ]),
    (Strong, &["higher high above exceed surpass 高于 超过 较高", "lower low below under 低于 不到 较低 不足"]),
    (Strong, &["more greater larger bigger mehr größer größere más mayor 更多 更大", "less fewer smaller weniger kleiner kleinere geringer menos menor 更少 更小"]),
    (Strong, &["support endorse approve agree accept favor favour unterstützt unterstützen befürwortet befürworten 支持 赞成 同意 批准 接受", "oppose reject disapprove disagree deny refute object disapproval rejection unsupported unacceptable ablehnt ablehnen abgelehnt 反对 拒绝 否认 驳回"]),
    (Strong, &["enable enabled activate 启用 开启", "disable disabled deactivate inactive 禁用 关闭"]),
    (Strong, &["allow permit legalize authorize legal lawful erlaubt erlauben zulässig gestattet autorise autorisé permet permite permitido permitida consentito consentita permesso ammesso ammessa toegestaan dozwolone dozwolony dozwolona разрешено разрешён разрешен разрешена разрешены 允许 准许 合法", "forbid forbidden prohibit ban prevent illegal unlawful outlaw unauthorized unauthorised verboten verbietet verbieten untersagt interdit interdite prohíbe prohibido proibido proibida vietato vietata proibito proibita verboden zabronione zabroniony zabroniona zakazane zakazany zakazana запрещено запрещён запрещен запрещена запрещены 禁止 不准 违法 非法"]),
    (Weak, &["introduce introduced impose imposed establish extend extended extension eingeführt einführt verlängert 引入 延长", "abolish abolished repeal repealed scrap scrapped revoke revoked rescind rescinded abgeschafft abschafft aufgehoben 废除 撤销"]),
    (Strong, &["true correct accurate right valid 正确 真实 有效", "false incorrect inaccurate wrong invalid 错误 虚假 无效"]),
    (Strong, &["always 总是 始终 一直", "rarely seldom hardly barely scarcely 很少 极少 从未 鲜有"]),
    (Weak, &["first earliest initial 首先 最早 首次", "last latest final 最后 最晚 最近 最终"]),
    (Strong, &["best 最佳 最好", "worst 最差 最坏"]),
    (Strong, &["highest maximum max most largest biggest greatest 最高 最大 最多", "lowest minimum min least smallest fewest 最低 最小 最少"]),
    (Strong, &["required mandatory compulsory obligatory require 必须 强制 必需", "optional voluntary 可选 自愿"]),
    (Loose, &["all every each entire fully completely entirely 全部 所有 完全 全体", "some partly partially several few many majority mostly 部分 一些 某些 大多 多数 少数", "only solely merely exclusively 仅仅 只有 唯一 只能"]),
    (Loose, &["must shall should ought 应当 应该 需要", "may might could possibly perhaps potentially maybe 可能 或许 也许 或将"]),
    (Weak, &["before prior pre 之前 以前", "after post following 之后 以后", "during 期间"]),
    (Strong, &["succeed success successful succeeded 成功", "unsuccessful 失败"]),
    (Strong, &["profit profitable surplus gewinn bénéfice ganancia 盈利 利润 盈余 顺差", "loss unprofitable deficit verlust perte pérdida 亏损 损失 赤字 逆差"]),
    (Strong, &["positive 积极 正面 阳性", "negative 消极 负面 阴性"]),
    (Strong, &["strong stronger 强劲 更强", "weak weaker 疲软 更弱"]),
    (Strong, &["safe safer 安全", "unsafe dangerous hazardous 危险"]),
    (Strong, &["sicher sichere sicheren", "unsicher unsichere unsicheren gefährlich gefährliche"]),
    (Strong, &["healthy gesund gesunde 健康", "unhealthy ungesund ungesunde"]),
    (Strong, &["fair", "unfair"]),
    (Strong, &["accessible", "inaccessible"]),
    (Strong, &["synchronous", "asynchronous"]),
    (Strong, &["appropriate suitable", "inappropriate unsuitable"]),
    (Strong, &["proven", "unproven"]),
    (Strong, &["verified", "unverified"]),
    (Strong, &["tested", "untested"]),
    (Strong, &["licensed", "unlicensed"]),
    (Strong, &["regulated", "unregulated"]),
    (Weak, &["limited restricted", "unlimited unrestricted"]),
    (Strong, &["popular", "unpopular"]),
    (Strong, &["toxic", "nontoxic"]),
    (Strong, &["wirksam wirksame", "unwirksam unwirksame wirkungslos"]),
    (Strong, &["möglich", "unmöglich"]),
    (Strong, &["zuverlässig zuverlässige", "unzuverlässig unzuverlässige"]),
    (Strong, &["gültig", "ungültig"]),
    (Strong, &["bekannt", "unbekannt"]),
    (Strong, &["rentabel profitabel", "unrentabel unprofitabel"]),
    (Strong, &["vollständig", "unvollständig"]),
    (Strong, &["有効", "無効"]),
    (Strong, &["可能です 可能だ", "不可能"]),
    (Strong, &["黒字", "赤字"]),
    (Strong, &["賛成", "反対"]),
    (Strong, &["許可", "禁止"]),
    (Strong, &["effective efficacious 见效", "ineffective useless"]),
    (Strong, &["able capable 能够", "unable incapable 无法"]),
    (Strong, &["available 可用", "unavailable 不可用"]),
    (Strong, &["compatible 兼容", "incompatible"]),
    (Strong, &["secure", "insecure unsecured"]),
    (Strong, &["reliable 可靠", "unreliable"]),
    (Strong, &["necessary 必要", "unnecessary needless"]),
    (Strong, &["sufficient adequate enough 足够 充足", "insufficient inadequate 不足"]),
    (Strong, &["consistent 一致", "inconsistent"]),
    (Strong, &["affected", "unaffected"]),
    (Strong, &["known", "unknown"]),
    (Strong, &["changed", "unchanged"]),
    (Strong, &["reversible", "irreversible"]),
    (Strong, &["visible", "invisible"]),
    (Strong, &["encrypted", "unencrypted plaintext"]),
    (Strong, &["dependent", "independent"]),
    (Strong, &["eligible", "ineligible"]),
    (Strong, &["resolved solved", "unresolved unsolved"]),
    (Strong, &["online", "offline"]),
    (Strong, &["guilty", "innocent"]),
    (Strong, &["alive", "dead"]),
    (Strong, &["likely probable", "unlikely improbable"]),
    (Strong, &["feasible 可行", "infeasible 不可"]),
    (Strong, &["faster fast quicker 更快 快速", "slower 更慢 缓慢"]),
    (Strong, &["cheap cheaper inexpensive billig billiger günstiger 便宜", "expensive costly teuer teurer 昂贵"]),
    (Strong, &["significant 显著性", "insignificant nonsignificant"]),
    (Weak, &["buy bought purchase acquire acquisition import importer kauft kaufte gekauft erwarb erworben achète acheté compró comprado 购买 收购 买入 进口", "sell sold divest export exporter verkauft verkaufte verkauften vend vendu vendió vendido 出售 卖出 出口"]),
    (Weak, &["internal inner domestic inside 内部 国内", "external outer foreign outside 外部 国外"]),
    (Weak, &["open opened opening launch start begin began begun 开始 启动 开放 推出", "close closed closing shut end ended stop terminate cease 结束 停止 终止 关停"]),
    (Weak, &["win won winner 获胜 胜利", "lose lost loser 失利"]),
    (Weak, &["early earlier 早期 提前", "late later delayed delay 晚期 推迟 延迟"]),
    (Weak, &["micro", "macro"]),
    (Weak, &["upper top upstream 上游", "bottom downstream 下游"]),
    (Weak, &["public 公共 公开", "private 私人 私有"]),
    (Weak, &["include includes including contain 包括 包含", "exclude excludes excluding omit 排除"]),
    (Weak, &["add added adding 添加 新增", "remove removed removing delete 删除 移除 取消"]),
    (Weak, &["hot warm", "cold cool"]),
    (Weak, &["male men man boys 男性", "female women woman girls 女性"]),
    (Weak, &["left", "right"]),
    (Weak, &["north northern", "south southern", "east eastern", "west western"]),
    (Weak, &["increasingly", "decreasingly"]),
    (Weak, &["long longer longest 长期 更长", "short shorter shortest 短期 更短"]),
    (Weak, &["or 或者"]),
    (Weak, &["up", "down"]),
    (Weak, &["maximize maximise", "minimize minimise"]),
    (Weak, &["benefit advantage advantageous beneficial 优势 有利 好处", "harm harmful disadvantage drawback 劣势 不利 坏处 缺点"]),
    (Weak, &["create created creation", "destroy destroyed destruction"]),
    (Weak, &["complete completed", "incomplete unfinished"]),
    (Weak, &["stable stability 稳定", "unstable instability volatile 动荡 波动"]),
    (Weak, &["confirm confirmed prove verify 证实 确认", "disprove contradict debunk 推翻"]),
    (Weak, &["often frequently 经常", "sometimes occasionally 有时 偶尔"]),
];
