//! What only convention says of URLs, as data: tracking parameters, session ids, sites that show one page in many forms.
//!
//! A name gets into a table that holds for every host only if no site chooses content by it. Everything that is a plain
//! word (`source`, `s`, `tag`) is bound to its hosts, and `ref` is in no table: it names branches and records as often
//! as referrers. Names are in lower case and compare without case; hosts stand for all that lies under them.

/// The longest text that is read as a URL, in bytes. Servers and browsers stop at 8 KiB to 64 KiB.
pub const URL_BYTES_MAX: usize = 16 * 1024;

/// How many caches may be wrapped around a page.
pub const CACHE_DEPTH_MAX: usize = 3;

/// First labels of a host that name a presentation of the same site.
pub const PRESENTATION_LABELS: &[&str] = &["www", "m", "mobile", "amp"];

/// Sites whose mobile hosts have the `m` in the middle.
#[rustfmt::skip]
pub const WIKIS_WITH_MOBILE_INSIDE: &[&str] = &[
    "wikipedia.org", "wiktionary.org", "wikimedia.org", "wikinews.org", "wikiquote.org", "wikisource.org",
    "wikibooks.org", "wikiversity.org", "wikivoyage.org",
];

/// Pages that moved, by canonical host and path: old host, old start of the path, new host, new start.
pub const MOVES: &[(&str, &str, &str, &str)] = &[
    ("ncbi.nlm.nih.gov", "/pmc/articles/", "pmc.ncbi.nlm.nih.gov", "/articles/"),
    ("ncbi.nlm.nih.gov", "/pubmed/", "pubmed.ncbi.nlm.nih.gov", "/"),
    ("twitter.com", "", "x.com", ""),
];

/// What a parameter's value has to be for the name to count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value {
    /// Nothing, `1` or `true`.
    Flag,
    /// This word.
    Is(&'static str),
    /// At least 16 letters and digits, both of them and nothing else.
    Token,
}

/// Parameters of the visit on every host: advertising clicks, mail campaigns, analytics, sessions. Sorted.
#[rustfmt::skip]
pub const NAMES: &[&str] = &[
    "__hsfp", "__hssc", "__hstc", "__twitter_impression", "_branch_match_id", "_branch_referrer", "_ga",
    "_gac", "_gl", "_hsenc", "_hsmi", "_openstat", "amp_gsa", "amp_js_v", "amp_kit", "amp_latest_update_time",
    "amp_r", "amp_tf", "asp.net_sessionid", "at_bbc_team", "at_campaign", "at_campaign_type", "at_custom1",
    "at_custom2", "at_custom3", "at_custom4", "at_link_id", "at_link_origin", "at_link_type", "at_medium",
    "at_ptr_name", "cftoken", "cmpid", "dclid", "dicbo", "ef_id", "epik", "fb_action_ids", "fb_action_types",
    "fb_ref", "fb_source", "fbclid", "gad_campaignid", "gad_source", "gbraid", "gclid", "gclsrc",
    "guccounter", "guce_referrer", "guce_referrer_sig", "hsctatracking", "igsh", "igshid", "irclickid",
    "irgwc", "jsessionid", "li_fat_id", "mc_cid", "mc_eid", "mc_tc", "mibextid", "mkt_tok", "mkwid",
    "ml_subscriber", "ml_subscriber_hash", "msclkid", "nr_email_referer", "ns_campaign", "ns_fee",
    "ns_linkname", "ns_mchannel", "ns_source", "oly_anon_id", "oly_enc_id", "oscsid", "phpsessid",
    "piwik_campaign", "piwik_keyword", "piwik_kwd", "pk_campaign", "pk_cid", "pk_content", "pk_keyword",
    "pk_kwd", "pk_medium", "pk_source", "rb_clickid", "ref_src", "s_cid", "s_kwcid", "sc_cid", "spm_id_from", "srsltid",
    "trk_contact", "trk_module", "trk_msg", "trk_sid", "ttclid", "twclid", "usqp", "vd_source", "vero_conv",
    "vero_id", "wbraid", "wickedid", "wt.mc_id", "wt_mc", "xtor", "yclid", "ysclid", "zenid",
];

/// Beginnings of such parameters.
pub const PREFIXES: &[&str] = &["utm_", "mtm_", "hsa_", "guce_", "__cft__", "__tn__", "aspsessionid"];

/// Parameters of the visit only with such a value: `amp=50` is a current, `sid=9` a record.
pub const NAMES_WITH_VALUES: &[(&str, Value)] = &[
    ("amp", Value::Flag),
    ("outputtype", Value::Is("amp")),
    ("sid", Value::Token),
    ("sessionid", Value::Token),
    ("session_id", Value::Token),
];

/// Parameters of the visit on one site.
#[rustfmt::skip]
pub const NAMES_BY_HOST: &[(&str, &[&str])] = &[
    ("youtube.com", &["si", "feature", "pp", "ab_channel", "app"]),
    ("spotify.com", &["si"]),
    ("twitter.com", &["s", "t", "ref_src", "ref_url", "cxt"]),
    ("x.com", &["s", "t", "ref_src", "ref_url", "cxt"]),
    ("reddit.com", &["share_id", "rdt", "ref_source"]),
    ("medium.com", &["source"]),
    ("substack.com", &["r", "triedredirect", "isfreemail"]),
    ("linkedin.com", &[
        "trk", "trkinfo", "trackingid", "lipi", "lici", "midtoken", "midsig", "originalsubdomain",
    ]),
    ("facebook.com", &["refsrc", "fref", "hc_ref", "rdid"]),
    ("tiktok.com", &["_r", "_t", "is_from_webapp", "sender_device", "web_id"]),
    ("nytimes.com", &["smid", "smtyp", "partner", "searchresultposition"]),
    ("theguardian.com", &["cmp"]),
    ("forbes.com", &["sh"]),
    ("washingtonpost.com", &["itid"]),
    ("cnn.com", &["cid"]),
    ("microsoft.com", &["ocid", "wt.mc_id"]),
    ("msn.com", &["ocid", "cvid", "ei"]),
    ("google.com", &[
        "ved", "ei", "sca_esv", "sxsrf", "gs_lp", "gs_lcrp", "aqs", "sourceid", "uact", "sclient", "biw",
        "bih",
    ]),
    ("sciencedirect.com", &["via", "via=ihub", "_rtd", "pes"]),
    ("nature.com", &["error", "code"]),
    ("mp.weixin.qq.com", &[
        "chksm", "scene", "subscene", "mpshare", "srcid", "sharer_shareinfo", "sharer_shareinfo_first",
        "from", "isappinstalled", "ascene", "devicetype", "version", "nettype", "abtest_cookie", "exportkey",
        "pass_ticket", "wx_header", "clicktime", "enterid", "sessionid",
    ]),
    ("baijiahao.baidu.com", &["wfr", "for"]),
    ("bilibili.com", &[
        "share_source", "share_medium", "share_plat", "share_session_id", "share_tag", "from_spmid",
    ]),
    ("csdn.net", &["spm", "ops_request_misc", "request_id", "biz_id"]),
    ("aliyun.com", &["spm", "scm"]),
    ("alibaba.com", &["spm", "scm"]),
    ("taobao.com", &["spm", "scm"]),
    ("tmall.com", &["spm", "scm"]),
    ("sohu.com", &["spm", "scm", "_f", "_trans_"]),
    ("sina.com.cn", &["froms"]),
    ("sina.cn", &["froms"]),
];

/// Sites whose fragments choose what is shown, by how such a fragment begins; elsewhere only `#/…` and `#!…` do.
pub const FRAGMENTS: &[(&str, &str)] = &[
    ("matrix.to", ""),
    ("mega.nz", ""),
    ("mega.co.nz", ""),
    ("mail.google.com", ""),
    ("docs.google.com", "gid="),
    ("keep.google.com", ""),
    ("web.telegram.org", ""),
    ("excalidraw.com", ""),
    ("codepen.io", "code-area"),
    ("regex101.com", ""),
];

/// Hosts that add a time against caches to their files.
pub const HOSTS_WITH_CACHE_STAMPS: &[&str] = &["pdf.dfcfw.com"];

/// The AMP Cache: each site has a subdomain.
pub const AMP_CACHE: &str = "cdn.ampproject.org";

/// What the AMP Cache holds: content, and content for a viewer.
pub const AMP_CACHE_KINDS: &[&str] = &["c", "v"];

/// Sites on which a path's names are chosen by users, or are words or names themselves: `amp` there is a thing.
#[rustfmt::skip]
pub const HOSTS_WITH_FREE_NAMES: &[&str] = &[
    "github.com", "github.io", "githubusercontent.com", "gitlab.com", "bitbucket.org", "codeberg.org",
    "sourceforge.net", "npmjs.com", "pypi.org", "crates.io", "docs.rs", "lib.rs", "rubygems.org",
    "packagist.org", "docker.com", "huggingface.co", "wikipedia.org", "wiktionary.org", "fandom.com",
    "reddit.com", "twitter.com", "x.com", "youtube.com", "instagram.com", "facebook.com", "linkedin.com",
    "tiktok.com", "google.com", "merriam-webster.com", "dictionary.com", "thefreedictionary.com",
    "vocabulary.com", "stackoverflow.com", "archive.org",
];

/// Names in a path behind which comes the name of a member, so that `/tag/amp` isn't AMP's page of `/tag`.
#[rustfmt::skip]
pub const COLLECTIONS: &[&str] = &[
    "api", "browse", "categories", "category", "components", "crate", "crates", "define", "definition",
    "dictionary", "doc", "docs", "en", "english", "glossary", "learn", "libraries", "library", "package",
    "packages", "product", "products", "project", "projects", "reference", "search", "shop", "store", "tag",
    "tags", "term", "terms", "topic", "topics", "user", "users", "wiki", "word", "words",
];

/// Hosts that send a DOI on to its page.
pub const DOI_RESOLVERS: &[&str] = &["doi.org", "dx.doi.org"];

/// Publishers whose addresses of a work hold its DOI. Only these: anyone can write a DOI into a path.
#[rustfmt::skip]
pub const DOI_PUBLISHERS: &[&str] = &[
    "acm.org", "acpjournals.org", "acs.org", "aeaweb.org", "ahajournals.org", "aiaa.org", "aip.org", "annualreviews.org",
    "aps.org", "ascelibrary.org", "ascopubs.org", "asha.org", "ashpublications.org", "asm.org", "atsjournals.org",
    "biomedcentral.com", "biorxiv.org", "bmj.com", "cochranelibrary.com", "degruyter.com",
    "degruyterbrill.com", "elifesciences.org", "embopress.org", "emerald.com", "frontiersin.org", "healthaffairs.org", "ehp.niehs.nih.gov",
    "informs.org", "iop.org", "iopscience.iop.org", "jacc.org", "journals.uchicago.edu", "liebertpub.com",
    "medrxiv.org", "nejm.org", "onlinelibrary.wiley.com", "oup.com", "peerj.com", "plos.org", "pnas.org", "psychiatryonline.org",
    "royalsocietypublishing.org", "sagepub.com", "science.org", "sciencemag.org", "siam.org",
    "spandidos-publications.com", "spiedigitallibrary.org", "springer.com", "springeropen.com",
    "tandfonline.com", "thelancet.com", "worldscientific.com",
];

/// Pages of a publisher with the DOI in their query: canonical host, end of the path, parameter.
pub const DOI_QUERY_PAGES: &[(&str, &str, &str)] = &[
    ("journals.plos.org", "/article", "id"),
    ("journals.plos.org", "/article/file", "id"),
    ("aeaweb.org", "/articles", "id"),
];

/// Sites whose addresses hold the end of a work's DOI: canonical host, start of the path, start of the DOI.
pub const DOI_PAGES: &[(&str, &str, &str)] = &[
    ("nature.com", "/articles/", "10.1038/"),
    ("elifesciences.org", "/articles/", "10.7554/elife."),
    ("zenodo.org", "/records/", "10.5281/zenodo."),
    ("zenodo.org", "/record/", "10.5281/zenodo."),
];

/// Names in a publisher's path before a DOI that show something else than its work.
pub const NOT_THE_WORK: &[&str] = &[
    "action",
    "citedby",
    "figure",
    "figures",
    "loi",
    "metrics",
    "references",
    "reviews",
    "suppl",
    "suppl_file",
    "toc",
];

/// Ends of a publisher's path that choose a form of the same work. Longer ones first.
#[rustfmt::skip]
pub const DOI_VIEWS: &[&str] = &[
    ".full.pdf+html", "/full.pdf", ".full.pdf", ".full.html", ".full-text", ".full", ".abstract", ".pdf",
    ".epub", "/fulltext.html", "/full/html", "/full", "/fulltext", "/pdf", "/html", "/epub", "/abstract",
    "/meta",
];

/// Preprint servers that put a version behind the DOI.
pub const DOI_PREPRINTS: &[&str] = &["biorxiv.org", "medrxiv.org"];

/// arXiv and its mirrors.
pub const ARXIV_HOSTS: &[&str] = &["arxiv.org", "ar5iv.org", "ar5iv.labs.arxiv.org"];

/// arXiv's forms of a paper.
pub const ARXIV_PAGES: &[&str] = &["abs", "pdf", "html", "ps"];

/// YouTube's hosts, the one without cookies among them.
pub const YOUTUBE_HOSTS: &[&str] = &["youtube.com", "youtu.be", "youtube-nocookie.com"];

/// YouTube's players for one video.
pub const YOUTUBE_PAGES: &[&str] = &["embed", "shorts", "live", "v"];
