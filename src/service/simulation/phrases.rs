//! What customers write and assistants answer, in several languages.

/// A language that is spoken here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum PhraseLanguage {
    En,
    De,
    Fr,
    Es,
    Pt,
    It,
    Ja,
    Ar,
    He,
    Hi,
    Ko,
}

/// What is said in a language.
pub(super) struct Phrases {
    /// First messages.
    pub(super) openings: &'static [&'static str],
    /// A message with the answer to it. Each stands for itself, since any may come next.
    pub(super) exchanges: &'static [(&'static str, &'static str)],
}

impl PhraseLanguage {
    /// The language customers of an assistant are likely to write, by its time zone; English where nothing says so.
    pub(super) fn of_timezone(zone: &str) -> Self {
        match zone {
            "Europe/Berlin" | "Europe/Vienna" | "Europe/Zurich" => Self::De,
            "Europe/Paris" | "Europe/Brussels" | "Africa/Dakar" => Self::Fr,
            "Europe/Madrid" | "America/Mexico_City" | "America/Bogota" | "America/Lima" | "America/Santiago" => {
                Self::Es
            }
            "America/Sao_Paulo" | "Europe/Lisbon" => Self::Pt,
            "Europe/Rome" => Self::It,
            "Asia/Tokyo" => Self::Ja,
            "Asia/Dubai" | "Asia/Riyadh" | "Africa/Cairo" => Self::Ar,
            "Asia/Kolkata" => Self::Hi,
            "Asia/Seoul" => Self::Ko,
            _ => Self::En,
        }
    }

    /// Its code of two letters.
    pub(super) fn iso_2(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::De => "de",
            Self::Fr => "fr",
            Self::Es => "es",
            Self::Pt => "pt",
            Self::It => "it",
            Self::Ja => "ja",
            Self::Ar => "ar",
            Self::He => "he",
            Self::Hi => "hi",
            Self::Ko => "ko",
        }
    }

    /// What is said in it.
    pub(super) fn phrases(self) -> &'static Phrases {
        match self {
            Self::En => &ENGLISH,
            Self::De => &GERMAN,
            Self::Fr => &FRENCH,
            Self::Es => &SPANISH,
            Self::Pt => &PORTUGUESE,
            Self::It => &ITALIAN,
            Self::Ja => &JAPANESE,
            Self::Ar => &ARABIC,
            Self::He => &HEBREW,
            Self::Hi => &HINDI,
            Self::Ko => &KOREAN,
        }
    }
}

const ENGLISH: Phrases = Phrases {
    openings: &[
        "Hi, are you open this Saturday?",
        "Hello! I'd like to book an appointment.",
        "Where is my order? It should have been here yesterday.",
        "Do you ship to Ireland?",
        "hey, quick question about my invoice 🙂",
    ],
    exchanges: &[
        ("Is Thursday at 3 still free?", "Yes, Thursday at 3 pm is free. Shall I book it for you?"),
        ("Can I pay by card?", "Of course. We take all major cards, also contactless."),
        ("How long does delivery take?", "Usually two to three working days. You get a tracking link by message."),
        ("The parcel arrived damaged.", "I'm sorry about that. Could you send a photo? We'll replace it at once."),
        ("Can I move my appointment to next week?", "Sure. Tuesday 10:30 or Wednesday 14:00, which suits you better?"),
        ("Is there parking nearby?", "Yes, there are free spaces behind the building."),
        ("Please send me the invoice again.", "Done, it is in your inbox. Anything else I can do?"),
        ("Thanks, that's all!", "You're welcome. Have a lovely day!"),
    ],
};

const GERMAN: Phrases = Phrases {
    openings: &[
        "Guten Tag, haben Sie am Samstag geöffnet?",
        "Hallo, ich bräuchte einen Termin.",
        "Wo bleibt meine Bestellung?",
        "Moin! Kurze Frage zu meiner Rechnung.",
    ],
    exchanges: &[
        ("Ist am Donnerstag um 15 Uhr noch etwas frei?", "Ja, 15 Uhr ist frei. Soll ich den Termin für Sie eintragen?"),
        ("Kann ich mit Karte zahlen?", "Natürlich, wir nehmen alle gängigen Karten."),
        (
            "Wie lange dauert die Lieferung?",
            "In der Regel zwei bis drei Werktage. Den Sendungslink schicken wir Ihnen.",
        ),
        ("Können Sie mir die Rechnung noch einmal schicken?", "Gern, sie ist eben an Sie hinausgegangen."),
        ("Ich muss meinen Termin leider verschieben.", "Kein Problem. Passt Ihnen Dienstag um 10:30 Uhr?"),
        ("Gibt es bei Ihnen Parkplätze?", "Ja, kostenlos hinter dem Gebäude."),
        ("Vielen Dank, das war's schon.", "Sehr gern. Einen schönen Tag noch!"),
    ],
};

const FRENCH: Phrases = Phrases {
    openings: &[
        "Bonjour, êtes-vous ouverts samedi ?",
        "Bonjour, je voudrais prendre rendez-vous.",
        "Où en est ma commande, s'il vous plaît ?",
        "Coucou, une petite question sur ma facture.",
    ],
    exchanges: &[
        ("Avez-vous de la place jeudi à 15 h ?", "Oui, jeudi à 15 h est libre. Je vous le réserve ?"),
        ("Je peux payer par carte ?", "Bien sûr, toutes les cartes sont acceptées."),
        ("Quels sont les délais de livraison ?", "Deux à trois jours ouvrés. Vous recevrez un lien de suivi."),
        ("Le colis est arrivé abîmé.", "J'en suis désolée. Pouvez-vous m'envoyer une photo ? Nous le remplaçons."),
        ("Je dois décaler mon rendez-vous.", "Pas de souci. Mardi à 10 h 30, cela vous convient ?"),
        ("Pouvez-vous me renvoyer la facture ?", "C'est fait, elle est dans votre boîte mail."),
        ("Merci beaucoup !", "Avec plaisir. Très bonne journée !"),
    ],
};

const SPANISH: Phrases = Phrases {
    openings: &[
        "Hola, ¿abren este sábado?",
        "Buenos días, quería pedir una cita.",
        "¿Dónde está mi pedido?",
        "Hola 👋 una duda sobre mi factura.",
    ],
    exchanges: &[
        ("¿Queda algo libre el jueves a las tres?", "Sí, el jueves a las 15:00 está libre. ¿Se lo reservo?"),
        ("¿Puedo pagar con tarjeta?", "Claro, aceptamos todas las tarjetas."),
        (
            "¿Cuánto tarda el envío?",
            "Normalmente de dos a tres días laborables. Le enviaremos el enlace de seguimiento.",
        ),
        ("El paquete llegó roto.", "Lo siento mucho. ¿Puede enviarnos una foto? Se lo cambiamos enseguida."),
        ("Necesito cambiar mi cita.", "Sin problema. ¿Le va bien el martes a las 10:30?"),
        ("¿Me reenvía la factura?", "Hecho, la tiene en su correo."),
        ("¡Muchas gracias!", "¡A usted! Que tenga un buen día."),
    ],
};

const PORTUGUESE: Phrases = Phrases {
    openings: &[
        "Oi, vocês abrem no sábado?",
        "Bom dia, gostaria de marcar um horário.",
        "Cadê o meu pedido? Era para chegar ontem.",
        "Olá, tenho uma dúvida sobre a fatura.",
    ],
    exchanges: &[
        ("Tem horário na quinta às 15h?", "Tem sim, quinta às 15h está livre. Posso reservar?"),
        ("Posso pagar com cartão?", "Pode, aceitamos todos os cartões e também Pix."),
        ("Quanto tempo demora a entrega?", "De dois a três dias úteis. Enviamos o link de rastreio por mensagem."),
        ("O pacote chegou danificado.", "Sinto muito! Pode mandar uma foto? Vamos trocar na hora."),
        ("Preciso remarcar o meu horário.", "Sem problema. Terça às 10h30 fica bom?"),
        ("Pode reenviar a nota fiscal?", "Prontinho, já está no seu e-mail."),
        ("Obrigada, era só isso!", "Por nada! Tenha um ótimo dia."),
    ],
};

const ITALIAN: Phrases = Phrases {
    openings: &[
        "Buongiorno, siete aperti sabato?",
        "Salve, vorrei prenotare un appuntamento.",
        "Dov'è il mio ordine?",
        "Ciao, ho una domanda sulla fattura.",
    ],
    exchanges: &[
        ("C'è posto giovedì alle 15?", "Sì, giovedì alle 15 è libero. Glielo prenoto?"),
        ("Posso pagare con la carta?", "Certo, accettiamo tutte le carte."),
        ("Quanto ci mette la consegna?", "Di solito due o tre giorni lavorativi. Le mandiamo il link per seguirla."),
        ("Devo spostare l'appuntamento.", "Nessun problema. Va bene martedì alle 10:30?"),
        ("Mi può rimandare la fattura?", "Fatto, è nella sua posta."),
        ("Grazie mille!", "Grazie a Lei, buona giornata!"),
    ],
};

const JAPANESE: Phrases = Phrases {
    openings: &[
        "すみません、土曜日は営業していますか？",
        "予約をお願いしたいのですが。",
        "注文した商品がまだ届きません。",
        "請求書について質問があります。",
    ],
    exchanges: &[
        ("木曜日の15時は空いていますか？", "はい、木曜日の15時は空いております。ご予約なさいますか？"),
        ("カードで払えますか？", "はい、主要なカードをご利用いただけます。"),
        ("配送にはどのくらいかかりますか？", "通常2〜3営業日でお届けします。追跡リンクをお送りします。"),
        ("届いた箱がつぶれていました。", "大変申し訳ございません。写真をお送りいただけますか？すぐに交換いたします。"),
        ("予約を変更したいです。", "かしこまりました。火曜日の10時半はいかがでしょうか？"),
        ("請求書を再送してください。", "ただいまメールでお送りしました。"),
        ("ありがとうございました。", "こちらこそありがとうございます。良い一日をお過ごしください。"),
    ],
};

const ARABIC: Phrases = Phrases {
    openings: &[
        "مرحبًا، هل تفتحون يوم السبت؟",
        "السلام عليكم، أريد حجز موعد.",
        "أين طلبي؟ كان من المفترض أن يصل أمس.",
        "لدي سؤال عن الفاتورة من فضلك.",
    ],
    exchanges: &[
        ("هل يوجد موعد يوم الخميس الساعة 3؟", "نعم، الخميس الساعة 3 متاح. هل أحجزه لك؟"),
        ("هل يمكنني الدفع بالبطاقة؟", "بالتأكيد، نقبل جميع البطاقات."),
        ("كم يستغرق التوصيل؟", "عادةً من يومين إلى ثلاثة أيام عمل، وسنرسل لك رابط التتبع."),
        ("وصل الطرد تالفًا.", "نعتذر عن ذلك. هل يمكنك إرسال صورة؟ سنستبدله فورًا."),
        ("أريد تغيير موعدي.", "لا مشكلة. هل يناسبك الثلاثاء الساعة 10:30؟"),
        ("هل يمكنكم إرسال الفاتورة مرة أخرى؟", "تم، ستجدها في بريدك الإلكتروني."),
        ("شكرًا جزيلًا!", "على الرحب والسعة، يومًا سعيدًا!"),
    ],
};

const HEBREW: Phrases = Phrases {
    openings: &["שלום, אתם פתוחים ביום שישי?", "אני רוצה לקבוע פגישה.", "איפה ההזמנה שלי?"],
    exchanges: &[
        ("יש מקום ביום חמישי בשלוש?", "כן, יום חמישי בשלוש פנוי. לשריין לך?"),
        ("אפשר לשלם בכרטיס אשראי?", "בוודאי, אנחנו מקבלים את כל הכרטיסים."),
        ("כמה זמן לוקח המשלוח?", "בדרך כלל יומיים עד שלושה ימי עסקים. נשלח לך קישור למעקב."),
        ("תודה רבה!", "בשמחה, יום נעים!"),
    ],
};

const HINDI: Phrases = Phrases {
    openings: &["नमस्ते, क्या आप शनिवार को खुले हैं?", "मुझे अपॉइंटमेंट लेना है।", "मेरा ऑर्डर कहाँ है?"],
    exchanges: &[
        ("क्या गुरुवार को 3 बजे समय मिलेगा?", "जी हाँ, गुरुवार 3 बजे खाली है। बुक कर दूँ?"),
        ("क्या मैं कार्ड से भुगतान कर सकता हूँ?", "जी, सभी कार्ड और UPI चलते हैं।"),
        ("डिलीवरी में कितना समय लगेगा?", "आमतौर पर दो से तीन दिन। हम आपको ट्रैकिंग लिंक भेज देंगे।"),
        ("धन्यवाद!", "आपका स्वागत है। आपका दिन शुभ हो!"),
    ],
};

const KOREAN: Phrases = Phrases {
    openings: &["안녕하세요, 토요일에도 영업하시나요?", "예약하고 싶어요.", "주문한 물건이 아직 안 왔어요."],
    exchanges: &[
        ("목요일 3시에 자리 있나요?", "네, 목요일 3시에 가능합니다. 예약해 드릴까요?"),
        ("카드 결제 되나요?", "네, 모든 카드로 결제하실 수 있습니다."),
        ("배송은 얼마나 걸려요?", "보통 영업일 기준 2~3일 걸립니다. 배송 조회 링크를 보내 드릴게요."),
        ("감사합니다!", "감사합니다. 좋은 하루 보내세요!"),
    ],
};
