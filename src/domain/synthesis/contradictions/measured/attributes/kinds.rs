//! Which attributes are known, and the words that say them.

use crate::domain::text::figures::Unit;

/// What may be so much.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    Length,
    Mass,
    Area,
    Time,
    Speed,
    Temperature,
    Money,
    Percent,
    /// Things that are counted, or tokens.
    Count,
    /// Whatever fits in: things, litres, bytes.
    Content,
}

impl Of {
    /// Whether a figure of this unit may be so much.
    pub(super) fn fits(self, unit: Unit) -> bool {
        match (self, unit) {
            (Self::Money, Unit::Money(_)) | (Self::Percent, Unit::Percent) => true,
            // Four digits are a year in a sentence.
            (Self::Count | Self::Content, Unit::Plain | Unit::Date) => true,
            (_, Unit::Measure { base, per }) => {
                per == 0 && self.has(base) || self == Self::Speed && base == "m"
            }
            _ => false,
        }
    }

    fn has(self, base: &str) -> bool {
        match self {
            Self::Length => matches!(base, "m" | "mile" | "ft" | "inch" | "yard"),
            Self::Mass => matches!(base, "g" | "lb" | "oz" | "ton"),
            Self::Area => matches!(base, "m2" | "ft2" | "mi2" | "acre"),
            Self::Time => matches!(base, "s" | "month"),
            Self::Speed => matches!(base, "km/h" | "mph"),
            Self::Temperature => matches!(base, "°C" | "°F" | "K" | "°"),
            Self::Count => base == "token",
            Self::Content => matches!(base, "l" | "gal" | "bbl" | "m3" | "B"),
            Self::Money | Self::Percent => false,
        }
    }
}

/// The words that say one attribute; all in small letters.
pub(super) struct Attribute {
    pub(super) of: Of,
    /// `a length of 120 m`, `the length is 120 m`, `a 3-year warranty`.
    pub(super) nouns: &'static [&'static str],
    /// Behind the figure: `120 m long`.
    pub(super) behind: &'static [&'static str],
    /// Before the figure: `weighs 180 g`.
    pub(super) verbs: &'static [&'static str],
    /// What is counted: `has 15,000 inhabitants`.
    pub(super) counted: &'static [&'static str],
    /// Whether it is the same at all times, and a time in the sentence belongs to something else.
    pub(super) lasts: bool,
}

const NONE: Attribute =
    Attribute { of: Of::Count, nouns: &[], behind: &[], verbs: &[], counted: &[], lasts: false };
const LASTING: Attribute = Attribute { of: Of::Length, lasts: true, ..NONE };

#[rustfmt::skip]
pub(super) const ATTRIBUTES: &[Attribute] = &[
    Attribute { nouns: &["length", "länge", "longueur", "longitud"], behind: &["long", "in length", "lang", "de long", "de largo"], ..LASTING },
    Attribute { nouns: &["height", "höhe", "hauteur", "altura"], behind: &["tall", "high", "in height", "hoch", "de haut", "de alto"], ..LASTING },
    Attribute { nouns: &["width", "breite", "largeur", "anchura"], behind: &["wide", "in width", "breit", "de large", "de ancho"], ..LASTING },
    Attribute { nouns: &["depth", "tiefe", "profondeur", "profundidad"], behind: &["deep", "in depth", "tief", "de profondeur", "de profundidad"], ..LASTING },
    Attribute { nouns: &["diameter", "durchmesser", "diamètre", "diámetro"], behind: &["in diameter", "across", "de diamètre", "de diámetro"], ..LASTING },
    Attribute { nouns: &["elevation", "altitude"], behind: &["above sea level", "in elevation", "über dem meeresspiegel"], ..LASTING },
    Attribute { of: Of::Mass, nouns: &["weight", "gewicht", "poids", "peso"], behind: &["heavy", "in weight", "schwer"], verbs: &["weighs", "weighed", "wiegt", "pèse", "pesa"], ..LASTING },
    Attribute { of: Of::Area, nouns: &["area", "floor area", "surface area", "living area", "fläche", "wohnfläche", "superficie", "surface"], behind: &["in size", "in area", "groß"], verbs: &["covers", "covers an area of", "spans", "measures", "is", "ist"], ..LASTING },
    Attribute { nouns: &["population", "einwohnerzahl", "bevölkerung", "población"], counted: &["inhabitants", "residents", "people live in", "einwohner", "habitants", "habitantes"], ..NONE },
    Attribute { nouns: &["headcount", "workforce", "number of employees", "mitarbeiterzahl"], verbs: &["employs", "beschäftigt", "emploie"], counted: &["employees", "staff", "mitarbeiter", "beschäftigte", "employés", "empleados"], ..NONE },
    Attribute { of: Of::Content, nouns: &["capacity", "seating capacity", "tank capacity", "kapazität", "fassungsvermögen", "capacité", "capacidad"], verbs: &["holds", "seats", "can hold", "can seat", "fasst"], ..LASTING },
    Attribute { of: Of::Time, nouns: &["battery life", "battery runtime", "akkulaufzeit"], verbs: &["battery lasts", "battery lasts for", "battery runs", "battery runs for", "akku hält"], ..LASTING },
    Attribute { of: Of::Time, nouns: &["duration", "running time", "runtime", "run time", "travel time", "journey time", "dauer", "laufzeit", "fahrzeit", "flugzeit", "durée", "duración"], verbs: &["takes", "lasts", "lasts for", "runs", "runs for", "dauert", "dure", "dura"], ..NONE },
    Attribute { of: Of::Length, nouns: &["range", "driving range", "reichweite", "autonomie", "autonomía"], verbs: &["can drive", "can travel"], ..LASTING },
    Attribute { of: Of::Speed, nouns: &["top speed", "maximum speed", "höchstgeschwindigkeit"], verbs: &["tops out at", "can reach"], ..LASTING },
    Attribute { of: Of::Temperature, nouns: &["boiling point", "siedepunkt"], verbs: &["boils at", "siedet bei"], ..LASTING },
    Attribute { of: Of::Temperature, nouns: &["melting point", "schmelzpunkt"], verbs: &["melts at", "schmilzt bei"], ..LASTING },
    Attribute { of: Of::Money, nouns: &["price", "preis", "prix", "precio"], verbs: &["costs", "is priced at", "sells for", "retails for", "kostet", "coûte", "cuesta"], ..NONE },
    Attribute { of: Of::Money, nouns: &["rent", "monthly rent", "miete", "loyer", "alquiler"], verbs: &["rents for"], ..NONE },
    Attribute { of: Of::Money, nouns: &["total funding", "total funding to date", "funding to date"], verbs: &["raised a total of", "has raised a total of", "have raised a total of"], ..NONE },
    Attribute { of: Of::Time, nouns: &["warranty", "warranty period", "guarantee", "garantie", "garantía"], ..NONE },
    Attribute { of: Of::Count, nouns: &["context window", "context length", "context"], ..LASTING },
    Attribute { of: Of::Count, counted: &["parameters", "parameter", "parametern"], nouns: &["parameter count"], ..LASTING },
    Attribute { of: Of::Percent, nouns: &["interest rate", "interest", "rate of interest", "zinssatz"], ..NONE },
    Attribute { of: Of::Percent, nouns: &["inflation rate", "inflation", "inflationsrate"], ..NONE },
    Attribute { of: Of::Percent, nouns: &["unemployment rate", "unemployment", "arbeitslosenquote"], ..NONE },
    Attribute { of: Of::Percent, nouns: &["market share", "marktanteil", "part de marché"], ..NONE },
    Attribute { of: Of::Percent, nouns: &["accuracy", "genauigkeit"], ..NONE },
];
