//! Units in Latin letters, and an index by what is written.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::LazyLock;

use crate::domain::text::terms::TermHasher;

/// A unit's base, and what one of it is in the base.
pub(super) type Base = (&'static str, u32, i32);

/// What is written is looked up for every figure: the usual hash takes longer than all the rest.
type ByText<K> = HashMap<K, Base, BuildHasherDefault<TermHasher>>;

/// The tables by what is written; of equal entries the first.
pub(super) struct Index {
    pub(super) symbols: ByText<&'static str>,
    /// Symbols of two letters and more, in lower case.
    pub(super) lowered: ByText<String>,
    pub(super) names: ByText<&'static str>,
    /// By the first letter in lower case, a bit for each length that there is: most words are none of them.
    lengths: [u32; 128],
}

impl Index {
    /// Whether a token may be in the tables, in whatever case, with the plural's `s` or without.
    pub(super) fn may_hold(&self, token: &str) -> bool {
        let first = token.bytes().next().map_or(0, |byte| usize::from(byte.to_ascii_lowercase()));
        let lengths = self.lengths.get(first).copied().unwrap_or_default();
        token.len() < 32 && lengths >> token.len() & 1 == 1
    }

    /// Notes that there is a word like this.
    fn note(&mut self, word: &str, plural: usize) {
        let first = word.bytes().next().map_or(0, |byte| usize::from(byte.to_ascii_lowercase()));
        if let Some(lengths) = self.lengths.get_mut(first) {
            *lengths |= 1 << word.len() | 1 << (word.len() + plural);
        }
    }
}

/// The index of both tables.
pub(super) static INDEX: LazyLock<Index> = LazyLock::new(|| {
    let mut index = Index {
        symbols: ByText::default(),
        lowered: ByText::default(),
        names: ByText::default(),
        lengths: [0; 128],
    };
    for &(symbol, base, factor, power) in SYMBOLS {
        index.note(symbol, 0);
        index.symbols.entry(symbol).or_insert((base, factor, power));
        if symbol.len() > 1 {
            index.lowered.entry(symbol.to_ascii_lowercase()).or_insert((base, factor, power));
        }
    }
    for &(name, base, factor, power) in NAMES.iter().chain(CYRILLIC) {
        index.note(name, 1);
        index.names.entry(name).or_insert((base, factor, power));
    }
    index
});

/// Symbols, exactly as they are written.
#[rustfmt::skip]
const SYMBOLS: &[(&str, &str, u32, i32)] = &[
    ("ns", "s", 1, -9), ("µs", "s", 1, -6), ("μs", "s", 1, -6), ("us", "s", 1, -6), ("ms", "s", 1, -3), ("ps", "s", 1, -12),
    ("fs", "s", 1, -15), ("s", "s", 1, 0), ("min", "s", 60, 0), ("h", "s", 3600, 0), ("hr", "s", 3600, 0), ("hrs", "s", 3600, 0),
    ("nm", "m", 1, -9), ("µm", "m", 1, -6), ("μm", "m", 1, -6), ("um", "m", 1, -6), ("mm", "m", 1, -3), ("cm", "m", 1, -2),
    ("m", "m", 1, 0), ("km", "m", 1, 3), ("ft", "ft", 1, 0), ("mi", "mile", 1, 0), ("in", "inch", 1, 0),
    ("ng", "g", 1, -9), ("µg", "g", 1, -6), ("μg", "g", 1, -6), ("mcg", "g", 1, -6), ("mg", "g", 1, -3), ("g", "g", 1, 0), ("kg", "g", 1, 3), ("t", "g", 1, 6),
    ("lb", "lb", 1, 0), ("lbs", "lb", 1, 0), ("oz", "oz", 1, 0),
    ("mL", "l", 1, -3), ("ml", "l", 1, -3), ("dL", "l", 1, -1), ("dl", "l", 1, -1), ("L", "l", 1, 0), ("l", "l", 1, 0), ("µL", "l", 1, -6), ("μL", "l", 1, -6),
    ("m2", "m2", 1, 0), ("m²", "m2", 1, 0), ("km2", "m2", 1, 6), ("km²", "m2", 1, 6), ("cm2", "m2", 1, -4), ("cm²", "m2", 1, -4), ("mm²", "m2", 1, -6), ("ha", "m2", 1, 4), ("ft2", "ft2", 1, 0), ("ft²", "ft2", 1, 0), ("sqft", "ft2", 1, 0), ("mi2", "mi2", 1, 0), ("mi²", "mi2", 1, 0), ("sqm", "m2", 1, 0),
    ("m3", "m3", 1, 0), ("m³", "m3", 1, 0), ("cm³", "m3", 1, -6),
    ("bit", "bit", 1, 0), ("kB", "B", 1, 3), ("KB", "B", 1, 3), ("MB", "B", 1, 6), ("GB", "B", 1, 9), ("TB", "B", 1, 12), ("PB", "B", 1, 15),
    ("kb", "bit", 1, 3), ("Kb", "bit", 1, 3), ("Mb", "bit", 1, 6), ("Gb", "bit", 1, 9), ("Kbps", "bps", 1, 3), ("kbps", "bps", 1, 3), ("Mbps", "bps", 1, 6), ("Gbps", "bps", 1, 9), ("kBps", "bps", 8, 3), ("KBps", "bps", 8, 3), ("MBps", "bps", 8, 6), ("GBps", "bps", 8, 9),
    ("KiB", "KiB", 1, 0), ("MiB", "KiB", 1_024, 0), ("GiB", "KiB", 1_048_576, 0), ("TiB", "KiB", 1_073_741_824, 0), ("Ki", "KiB", 1, 0), ("Mi", "KiB", 1_024, 0), ("Gi", "KiB", 1_048_576, 0), ("Ti", "KiB", 1_073_741_824, 0),
    ("mW", "W", 1, -3), ("W", "W", 1, 0), ("kW", "W", 1, 3), ("KW", "W", 1, 3), ("MW", "W", 1, 6), ("GW", "W", 1, 9), ("TW", "W", 1, 12),
    ("Wh", "Wh", 1, 0), ("kWh", "Wh", 1, 3), ("KWh", "Wh", 1, 3), ("MWh", "Wh", 1, 6), ("GWh", "Wh", 1, 9), ("TWh", "Wh", 1, 12),
    ("J", "J", 1, 0), ("mJ", "J", 1, -3), ("kJ", "J", 1, 3), ("MJ", "J", 1, 6), ("eV", "eV", 1, 0), ("meV", "eV", 1, -3), ("keV", "eV", 1, 3), ("MeV", "eV", 1, 6),
    ("mV", "V", 1, -3), ("V", "V", 1, 0), ("kV", "V", 1, 3), ("µA", "A", 1, -6), ("mA", "A", 1, -3), ("A", "A", 1, 0),
    ("Hz", "Hz", 1, 0), ("kHz", "Hz", 1, 3), ("MHz", "Hz", 1, 6), ("GHz", "Hz", 1, 9), ("THz", "Hz", 1, 12),
    ("Pa", "Pa", 1, 0), ("kPa", "Pa", 1, 3), ("MPa", "Pa", 1, 6), ("GPa", "Pa", 1, 9), ("bar", "bar", 1, 0), ("mbar", "bar", 1, -3), ("Torr", "Torr", 1, 0), ("mTorr", "Torr", 1, -3), ("psi", "psi", 1, 0), ("mmHg", "mmHg", 1, 0),
    ("dB", "dB", 1, 0), ("dBm", "dBm", 1, 0), ("mol", "mol", 1, 0), ("mmol", "mol", 1, -3), ("nM", "M", 1, -9), ("µM", "M", 1, -6), ("μM", "M", 1, -6), ("mM", "M", 1, -3),
    ("kcal", "cal", 1, 3), ("cal", "cal", 1, 0), ("°C", "°C", 1, 0), ("°F", "°F", 1, 0), ("°", "°", 1, 0), ("K", "K", 1, 0),
    ("ppm", "ppm", 1, 0), ("ppb", "ppm", 1, -3), ("fps", "fps", 1, 0), ("rpm", "rpm", 1, 0), ("qubit", "qubit", 1, 0), ("km/h", "km/h", 1, 0), ("kph", "km/h", 1, 0), ("kmh", "km/h", 1, 0), ("mph", "mph", 1, 0),
    ("pp", "pp", 1, 0), ("bps", "pp", 1, -2), ("bp", "pp", 1, -2), ("pct", "%", 1, 0), ("USD", "USD", 1, 0), ("EUR", "EUR", 1, 0), ("GBP", "GBP", 1, 0), ("CNY", "CNY", 1, 0), ("RMB", "CNY", 1, 0), ("JPY", "JPY", 1, 0), ("HKD", "HKD", 1, 0),
];

/// Names, in lower case and without the plural's `s`.
#[rustfmt::skip]
const NAMES: &[(&str, &str, u32, i32)] = &[
    ("percent", "%", 1, 0), ("prozent", "%", 1, 0), ("procent", "%", 1, 0), ("pct", "%", 1, 0), ("nanosecond", "s", 1, -9), ("microsecond", "s", 1, -6), ("millisecond", "s", 1, -3), ("second", "s", 1, 0), ("sec", "s", 1, 0),
    ("minute", "s", 60, 0), ("hour", "s", 3600, 0), ("day", "s", 86_400, 0), ("week", "s", 604_800, 0), ("month", "month", 1, 0), ("year", "month", 12, 0), ("yr", "month", 12, 0), ("decade", "month", 12, 1), ("century", "month", 12, 2), ("centurie", "month", 12, 2),
    ("nanometer", "m", 1, -9), ("nanometre", "m", 1, -9), ("micrometer", "m", 1, -6), ("micron", "m", 1, -6), ("millimeter", "m", 1, -3), ("millimetre", "m", 1, -3), ("centimeter", "m", 1, -2), ("centimetre", "m", 1, -2),
    ("meter", "m", 1, 0), ("metre", "m", 1, 0), ("kilometer", "m", 1, 3), ("kilometre", "m", 1, 3), ("mile", "mile", 1, 0), ("foot", "ft", 1, 0), ("feet", "ft", 1, 0), ("inch", "inch", 1, 0), ("inche", "inch", 1, 0), ("yard", "yard", 1, 0),
    ("milligram", "g", 1, -3), ("microgram", "g", 1, -6), ("gram", "g", 1, 0), ("kilogram", "g", 1, 3), ("kilo", "g", 1, 3), ("tonne", "g", 1, 6), ("ton", "ton", 1, 0), ("pound", "lb", 1, 0), ("ounce", "oz", 1, 0),
    ("milliliter", "l", 1, -3), ("millilitre", "l", 1, -3), ("liter", "l", 1, 0), ("litre", "l", 1, 0), ("gallon", "gal", 1, 0), ("barrel", "bbl", 1, 0), ("hectare", "m2", 1, 4), ("acre", "acre", 1, 0),
    ("bit", "bit", 1, 0), ("byte", "B", 1, 0), ("kilobyte", "B", 1, 3), ("megabyte", "B", 1, 6), ("gigabyte", "B", 1, 9), ("terabyte", "B", 1, 12), ("petabyte", "B", 1, 15),
    ("watt", "W", 1, 0), ("kilowatt", "W", 1, 3), ("megawatt", "W", 1, 6), ("gigawatt", "W", 1, 9), ("terawatt", "W", 1, 12), ("joule", "J", 1, 0), ("volt", "V", 1, 0), ("ampere", "A", 1, 0), ("hertz", "Hz", 1, 0), ("gigahertz", "Hz", 1, 9), ("megahertz", "Hz", 1, 6),
    ("calorie", "cal", 1, 0), ("kilocalorie", "cal", 1, 3), ("degree", "°", 1, 0), ("celsius", "°C", 1, 0), ("fahrenheit", "°F", 1, 0), ("kelvin", "K", 1, 0),
    ("dollar", "USD", 1, 0), ("euro", "EUR", 1, 0), ("yuan", "CNY", 1, 0), ("renminbi", "CNY", 1, 0), ("yen", "JPY", 1, 0), ("rupee", "INR", 1, 0), ("cent", "cent", 1, 0),
    ("sekunde", "s", 1, 0), ("sekunden", "s", 1, 0), ("minuten", "s", 60, 0), ("stunde", "s", 3600, 0), ("stunden", "s", 3600, 0), ("tage", "s", 86_400, 0), ("tagen", "s", 86_400, 0), ("woche", "s", 604_800, 0), ("wochen", "s", 604_800, 0), ("monat", "month", 1, 0), ("monate", "month", 1, 0), ("monaten", "month", 1, 0), ("jahr", "month", 12, 0), ("jahre", "month", 12, 0), ("jahren", "month", 12, 0),
    ("segundo", "s", 1, 0), ("minuto", "s", 60, 0), ("hora", "s", 3600, 0), ("día", "s", 86_400, 0), ("dia", "s", 86_400, 0), ("semana", "s", 604_800, 0), ("mes", "month", 1, 0), ("mês", "month", 1, 0), ("mese", "month", 1, 0), ("año", "month", 12, 0), ("ano", "month", 12, 0),
    ("seconde", "s", 1, 0), ("heure", "s", 3600, 0), ("jour", "s", 86_400, 0), ("semaine", "s", 604_800, 0), ("mois", "month", 1, 0), ("ans", "month", 12, 0), ("année", "month", 12, 0),
    ("secondi", "s", 1, 0), ("minuti", "s", 60, 0), ("giorno", "s", 86_400, 0), ("giorni", "s", 86_400, 0), ("settimana", "s", 604_800, 0), ("settimane", "s", 604_800, 0), ("mesi", "month", 1, 0), ("anno", "month", 12, 0), ("anni", "month", 12, 0),
    ("uur", "s", 3600, 0), ("uren", "s", 3600, 0), ("dagen", "s", 86_400, 0), ("weken", "s", 604_800, 0), ("maand", "month", 1, 0), ("maanden", "month", 1, 0), ("jaar", "month", 12, 0), ("jaren", "month", 12, 0), ("an", "month", 12, 0),
    ("sekundy", "s", 1, 0), ("sekund", "s", 1, 0), ("minuta", "s", 60, 0), ("minuty", "s", 60, 0), ("minut", "s", 60, 0), ("godzina", "s", 3600, 0), ("godziny", "s", 3600, 0), ("godzin", "s", 3600, 0), ("dzień", "s", 86_400, 0), ("dni", "s", 86_400, 0), ("tydzień", "s", 604_800, 0), ("tygodnie", "s", 604_800, 0), ("tygodni", "s", 604_800, 0),
    ("miesiąc", "month", 1, 0), ("miesiące", "month", 1, 0), ("miesięcy", "month", 1, 0), ("rok", "month", 12, 0), ("lata", "month", 12, 0), ("lat", "month", 12, 0),
    ("hodina", "s", 3600, 0), ("hodiny", "s", 3600, 0), ("hodin", "s", 3600, 0), ("dny", "s", 86_400, 0), ("dnů", "s", 86_400, 0), ("týden", "s", 604_800, 0), ("týdny", "s", 604_800, 0), ("týdnů", "s", 604_800, 0), ("měsíc", "month", 1, 0), ("měsíce", "month", 1, 0), ("měsíců", "month", 1, 0), ("roky", "month", 12, 0), ("let", "month", 12, 0),
    ("time", "x", 1, 0), ("fold", "x", 1, 0), ("qubit", "qubit", 1, 0), ("token", "token", 1, 0),
];

/// Names in Cyrillic letters, in lower case and in all forms.
#[rustfmt::skip]
const CYRILLIC: &[(&str, &str, u32, i32)] = &[
    ("секунда", "s", 1, 0), ("секунды", "s", 1, 0), ("секунд", "s", 1, 0), ("минута", "s", 60, 0), ("минуты", "s", 60, 0), ("минуту", "s", 60, 0), ("минут", "s", 60, 0), ("час", "s", 3600, 0), ("часа", "s", 3600, 0), ("часов", "s", 3600, 0),
    ("день", "s", 86_400, 0), ("дня", "s", 86_400, 0), ("дней", "s", 86_400, 0), ("неделя", "s", 604_800, 0), ("неделю", "s", 604_800, 0), ("недели", "s", 604_800, 0), ("недель", "s", 604_800, 0), ("месяц", "month", 1, 0), ("месяца", "month", 1, 0), ("месяцев", "month", 1, 0),
    ("год", "month", 12, 0), ("года", "month", 12, 0), ("лет", "month", 12, 0),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_unit_is_ruled_out_by_its_length() {
        for name in SYMBOLS.iter().chain(NAMES).map(|entry| entry.0).filter(|name| name.is_ascii()) {
            assert!(INDEX.may_hold(name) && INDEX.may_hold(&name.to_uppercase()), "{name}");
        }
        for (name, ..) in NAMES {
            assert!(INDEX.may_hold(&format!("{name}s")), "{name}");
        }
        assert!(!INDEX.may_hold("") && !INDEX.may_hold("events") && !INDEX.may_hold(&"s".repeat(40)));
    }
}
