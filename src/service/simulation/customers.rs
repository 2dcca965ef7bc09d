//! Customers of many countries, each the same person whenever they are met.

use super::Customer;
use super::draw::{mix, one, percent};
use super::phrases::PhraseLanguage;
use crate::service::world::{User, WorldSender};
use fastrand::Rng;
use std::fmt::Write;

/// How many customers a sender has, for so many conversations: each is met again and again.
pub(super) fn pool(conversations: u64) -> u64 {
    (conversations / 5).clamp(12, 1_000_000)
}

/// A customer of a sender out of a pool, some of them met far more often than others.
pub(super) fn recurring(rng: &mut Rng, user: &User, sender: usize, pool: u64) -> (Customer, PhraseLanguage) {
    // The lesser of two draws: the first of the pool come most often.
    let draw = rng.u64(..pool).min(rng.u64(..pool));
    customer(user, sender, draw)
}

/// The number of somebody who is called or calls in a language: a customer of the sender of that country, if any.
pub(super) fn caller(rng: &mut Rng, user: &User, language: PhraseLanguage, pool: u64) -> String {
    let at_home = |sender: &WorldSender| language_of(&sender.phone_number) == Some(language);
    if let Some(sender) = user.senders.iter().position(at_home) {
        return recurring(rng, user, sender, pool).0.phone;
    }
    let spoken: Vec<_> = COUNTRIES.iter().filter(|country| country.language == language).collect();
    let country = one(rng, &spoken).copied().unwrap_or(&COUNTRIES[0]);
    format!("{}{}{:07}", country.code, country.area, rng.u32(..10_000_000))
}

/// The customer of a number at a sender, with the language they write.
///
/// Most are from the sender's own country. No two of a user share a phone number below ten million customers.
fn customer(user: &User, sender: usize, number: u64) -> (Customer, PhraseLanguage) {
    let id = number * user.senders.len() as u64 + sender as u64;
    let mut rng = Rng::with_seed(mix(id));
    let home = COUNTRIES.iter().find(|country| user.senders[sender].phone_number.starts_with(country.code));
    let country = match home {
        Some(home) if percent(&mut rng, 70) => home,
        _ => one(&mut rng, COUNTRIES).unwrap_or(&COUNTRIES[0]),
    };
    let name = if percent(&mut rng, 85) { Some(country.names.full(&mut rng)) } else { None };
    // Coprime to 10^7: each id has a subscriber number of its own, and neighbours look unlike.
    let subscriber = (id % 10_000_000 * 7_368_787 + 1_234_567) % 10_000_000;
    let mut phone = String::with_capacity(16);
    // Writing to a string cannot fail.
    let _ = write!(phone, "{}{}{subscriber:07}", country.code, country.area);
    (Customer { name, phone }, country.language)
}

/// The language that somebody with this number is likely to write.
pub(super) fn language_of(phone: &str) -> Option<PhraseLanguage> {
    COUNTRIES.iter().find(|country| phone.starts_with(country.code)).map(|country| country.language)
}

struct Country {
    /// With the plus sign.
    code: &'static str,
    /// Fills the national number up to its length, before 7 digits of the subscriber.
    area: &'static str,
    language: PhraseLanguage,
    names: &'static Names,
}

struct Names {
    given: &'static [&'static str],
    family: &'static [&'static str],
    order: Order,
}

enum Order {
    GivenFirst,
    FamilyFirst,
    /// Family name first and no space between.
    Joined,
}

impl Names {
    fn full(&self, rng: &mut Rng) -> String {
        let mut pick = |list| one(rng, list).copied().unwrap_or_default();
        let (given, family) = (pick(self.given), pick(self.family));
        match self.order {
            Order::GivenFirst => [given, " ", family].concat(),
            Order::FamilyFirst => [family, " ", given].concat(),
            Order::Joined => [family, given].concat(),
        }
    }
}

const fn country(code: &'static str, area: &'static str, language: PhraseLanguage, names: &'static Names) -> Country {
    Country { code, area, language, names }
}

/// The numbers made from these have the right length; nothing ever dials them.
/// Calling codes are free of prefixes, so the first that fits a number is the only one.
const COUNTRIES: &[Country] = &[
    country("+1", "555", PhraseLanguage::En, &ENGLISH),
    country("+44", "770", PhraseLanguage::En, &ENGLISH),
    country("+49", "1512", PhraseLanguage::De, &GERMAN),
    country("+43", "664", PhraseLanguage::De, &GERMAN),
    country("+33", "63", PhraseLanguage::Fr, &FRENCH),
    country("+34", "61", PhraseLanguage::Es, &SPANISH),
    country("+52", "558", PhraseLanguage::Es, &SPANISH),
    country("+351", "91", PhraseLanguage::Pt, &PORTUGUESE),
    country("+55", "1199", PhraseLanguage::Pt, &PORTUGUESE),
    country("+39", "347", PhraseLanguage::It, &ITALIAN),
    country("+48", "60", PhraseLanguage::En, &POLISH),
    country("+90", "532", PhraseLanguage::En, &TURKISH),
    country("+30", "697", PhraseLanguage::En, &GREEK),
    country("+380", "67", PhraseLanguage::En, &UKRAINIAN),
    country("+972", "52", PhraseLanguage::He, &HEBREW),
    country("+971", "50", PhraseLanguage::Ar, &ARABIC),
    country("+20", "100", PhraseLanguage::Ar, &ARABIC),
    country("+91", "981", PhraseLanguage::Hi, &HINDI),
    country("+66", "81", PhraseLanguage::En, &THAI),
    country("+81", "901", PhraseLanguage::Ja, &JAPANESE),
    country("+82", "102", PhraseLanguage::Ko, &KOREAN),
    country("+86", "1380", PhraseLanguage::En, &CHINESE),
];

const ENGLISH: Names = Names {
    given: &["Grace", "Oliver", "Amelia", "Noah", "Priya", "James", "Zoë", "Liam", "Harriet", "Marcus", "Siân", "Theo"],
    family: &["Walker", "O’Brien", "Hughes", "Patel", "Bennett", "Okafor", "Reid", "Carter", "Novak", "St. John"],
    order: Order::GivenFirst,
};
const GERMAN: Names = Names {
    given: &["Jürgen", "Anneliese", "Lukas", "Käthe", "Mehmet", "Sophie", "Björn", "Lena", "Karl-Heinz", "Miriam"],
    family: &["Müller", "Schäfer", "Groß", "Weiß", "Yılmaz", "Vogel", "von der Heide", "König", "Brandt", "Lehmann"],
    order: Order::GivenFirst,
};
const FRENCH: Names = Names {
    given: &["Chloé", "Étienne", "Amélie", "Jean-Baptiste", "Inès", "Hugo", "Maëlys", "François", "Noémie", "Loïc"],
    family: &["Lefèvre", "Dubois", "Garçon", "Moreau", "N’Diaye", "Petit", "D’Ornano", "Bélanger", "Roux", "Girard"],
    order: Order::GivenFirst,
};
const SPANISH: Names = Names {
    given: &["Lucía", "José María", "Íñigo", "Valentina", "Andrés", "Begoña", "Mateo", "Ximena", "Joaquín", "Nuria"],
    family: &["García", "Muñoz", "Hernández Ruiz", "Ibáñez", "Peña", "López", "Echeverría", "Ortega", "Núñez", "Vidal"],
    order: Order::GivenFirst,
};
const PORTUGUESE: Names = Names {
    given: &["João", "Conceição", "Beatriz", "Antônio", "Luísa", "Thiago", "Inês", "Caíque", "Marília", "Gonçalo"],
    family: &["da Silva", "Gonçalves", "Araújo", "Simões", "Magalhães", "Ferreira", "Assunção", "Brandão", "Queiroz"],
    order: Order::GivenFirst,
};
const ITALIAN: Names = Names {
    given: &["Giulia", "Niccolò", "Francesca", "Matteo", "Chiara", "Giosuè", "Elena", "Lorenzo", "Noè", "Bianca"],
    family: &["Rossi", "D’Angelo", "Esposito", "Colombo", "Ferrari", "De Luca", "Marchetti", "Fabbri", "Cuccù"],
    order: Order::GivenFirst,
};
const POLISH: Names = Names {
    given: &["Łukasz", "Małgorzata", "Zofia", "Paweł", "Grażyna", "Michał", "Agnieszka", "Jędrzej"],
    family: &["Wójcik", "Kowalczyk", "Dąbrowska", "Zieliński", "Szczęsny", "Wiśniewska", "Mazur"],
    order: Order::GivenFirst,
};
const TURKISH: Names = Names {
    given: &["Ayşe", "Çağla", "İbrahim", "Gökhan", "Şebnem", "Mustafa", "Ilgın", "Özlem"],
    family: &["Yıldız", "Demir", "Öztürk", "Çelik", "Şahin", "Kaya", "Güneş"],
    order: Order::GivenFirst,
};
const GREEK: Names = Names {
    given: &["Ελένη", "Γιώργος", "Κατερίνα", "Νίκος", "Δέσποινα", "Στέλιος"],
    family: &["Παπαδοπούλου", "Οικονόμου", "Αγγελή", "Μακρή", "Γεωργίου"],
    order: Order::GivenFirst,
};
const UKRAINIAN: Names = Names {
    given: &["Олена", "Тарас", "Наталія", "Богдан", "Соломія", "Юрій"],
    family: &["Шевченко", "Коваленко", "Бондаренко", "Ткач", "Мельник"],
    order: Order::GivenFirst,
};
const HEBREW: Names = Names {
    given: &["נועה", "יוסף", "תמר", "איתן", "מיכל", "אורי"],
    family: &["כהן", "לוי", "מזרחי", "פרץ", "ביטון"],
    order: Order::GivenFirst,
};
const ARABIC: Names = Names {
    given: &["فاطمة", "محمد", "ليلى", "يوسف", "نور", "خالد", "مريم", "عمر"],
    family: &["الهاشمي", "حسن", "المصري", "عبد الرحمن", "السيد", "منصور"],
    order: Order::GivenFirst,
};
const HINDI: Names = Names {
    given: &["प्रिया", "राहुल", "अनन्या", "विक्रम", "कृष्णा", "श्रेया"],
    family: &["शर्मा", "वर्मा", "गुप्ता", "सिंह", "अय्यर"],
    order: Order::GivenFirst,
};
const THAI: Names = Names {
    given: &["สมชาย", "ณัฐพร", "กิตติ", "พิมพ์ชนก", "ธนากร"],
    family: &["ใจดี", "ศรีสุข", "วงศ์ทอง", "แก้วมณี"],
    order: Order::GivenFirst,
};
const JAPANESE: Names = Names {
    given: &["花子", "健太", "さくら", "翔", "美咲", "大輔", "結衣", "エミリー"],
    family: &["佐藤", "鈴木", "高橋", "渡辺", "小林", "山本", "長谷川"],
    order: Order::FamilyFirst,
};
const KOREAN: Names = Names {
    given: &["민준", "서연", "지우", "하은", "도윤", "수빈"],
    family: &["김", "이", "박", "최", "정", "남궁"],
    order: Order::Joined,
};
const CHINESE: Names = Names {
    given: &["伟", "芳", "秀英", "子轩", "晓明", "雨桐"],
    family: &["王", "李", "张", "陈", "欧阳", "刘"],
    order: Order::Joined,
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::rules;
    use crate::service::world::{DEMO, World};
    use std::collections::HashMap;

    #[test]
    fn a_phone_number_belongs_to_one_person_and_is_e164() {
        let user = World::parse(DEMO).unwrap().users.remove(0);
        let mut known = HashMap::new();
        for sender in 0..user.senders.len() {
            for number in 0..5_000 {
                let (person, _) = customer(&user, sender, number);
                assert_eq!(rules::e164("phone", &person.phone), Ok(()), "{}", person.phone);
                assert_eq!(known.insert(person.phone.clone(), (sender, number)), None, "{}", person.phone);
                assert_eq!(customer(&user, sender, number).0, person);
            }
        }
    }

    #[test]
    fn most_customers_are_from_the_country_of_the_sender() {
        let user = World::parse(DEMO).unwrap().users.remove(0);
        for (at, sender) in user.senders.iter().enumerate() {
            let home = COUNTRIES.iter().find(|country| sender.phone_number.starts_with(country.code)).unwrap();
            let people = (0..1_000).filter(|&n| customer(&user, at, n).0.phone.starts_with(home.code)).count();
            assert!((600..900).contains(&people), "{people} of 1000 at {}", sender.phone_number);
        }
    }

    #[test]
    fn no_calling_code_begins_another() {
        for one in COUNTRIES {
            assert_eq!(COUNTRIES.iter().filter(|other| other.code.starts_with(one.code)).count(), 1, "{}", one.code);
        }
    }
}
