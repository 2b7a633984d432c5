//! Months in German, French, Spanish, Italian, Portuguese and Dutch, as they are written behind a day.

/// The number of a month. Who writes `4 de mayo` joins them; without that, names that are other words elsewhere are none.
#[rustfmt::skip]
pub(super) fn foreign(name: &str, joined: bool) -> Option<u64> {
    let month = match name {
        "Januar" | "Jänner" | "janvier" | "enero" | "gennaio" | "janeiro" | "januari" => 1,
        "Februar" | "Feber" | "février" | "febrero" | "febbraio" | "fevereiro" | "februari" => 2,
        "März" | "mars" | "marzo" | "março" | "maart" => 3,
        "avril" | "abril" | "aprile" | "april" => 4,
        "Mai" | "mai" | "maggio" | "maio" | "mei" => 5,
        "mayo" if joined => 5,
        "Juni" | "juin" | "junio" | "giugno" | "junho" | "juni" => 6,
        "Juli" | "juillet" | "julio" | "luglio" | "julho" | "juli" => 7,
        "août" | "agosto" | "augustus" => 8,
        "septembre" | "septiembre" | "settembre" | "setembro" => 9,
        "Oktober" | "octobre" | "octubre" | "ottobre" | "outubro" | "oktober" => 10,
        "novembre" | "noviembre" | "novembro" => 11,
        "Dezember" | "décembre" | "diciembre" | "dicembre" | "dezembro" | "december" => 12,
        _ => return None,
    };
    Some(month)
}
