//! English and German.

use super::StoryTool::{BookVisit, CheckStock, TrackOrder};
use super::{Stories, turn, with};

pub(super) const ENGLISH: Stories = Stories {
    date: "%-d %B",
    place: "London",
    greeting: "Hi! I'm the virtual assistant. I can look up orders, check stock and book visits. How can I help?",
    hello: "Hello 👋",
    requests: &[
        [
            turn(
                "I'm still waiting for my order. Can you see where it is?",
                "Of course. What is your order number? It begins with LM.",
            ),
            with(
                TrackOrder,
                "It's {order}.",
                "Thank you. {order} has left our warehouse and is with the carrier. It should arrive on {day}.",
            ),
            turn(
                "Could it come in the afternoon? I'm at work until two.",
                "I've asked the carrier for {time} or later. They confirm it the evening before.",
            ),
        ],
        [
            with(
                CheckStock,
                "Do you have {pieces} pieces of {article} in stock?",
                "Yes, {article} is in stock and {pieces} are no problem. Shall I reserve them for you?",
            ),
            turn("Yes please. How long do you hold them?", "Until {day}, closing time. The reservation costs nothing."),
            turn("What would delivery cost?", "Delivery is free above £500; below that it is £49."),
        ],
        [
            turn(
                "I'd like to visit the showroom. When is a good time?",
                "With pleasure. {day} at {time} is still free. Does that suit you?",
            ),
            with(
                BookVisit,
                "{day} at {time} is perfect.",
                "Booked: {place}, {day} at {time}. The confirmation is on its way to you.",
            ),
            turn(
                "May I bring a fabric sample along?",
                "Please do. One of our designers will match it with the collection.",
            ),
        ],
    ],
    hand_over: (
        "Can I speak to a real person, please?",
        "Of course. I'm handing you over to a colleague, who will answer here in a moment.",
    ),
    waiting: "Is anybody there? I really need an answer today.",
    person: "Hello, this is Megan from the team, I've read everything. I'll sort this out for you right away.",
};

pub(super) const GERMAN: Stories = Stories {
    date: "%-d.%-m.",
    place: "Berlin",
    greeting: "Guten Tag! Ich bin der virtuelle Assistent. Was kann ich für Sie tun?",
    hello: "Guten Tag!",
    requests: &[
        [
            turn(
                "Ich warte noch auf meine Bestellung. Können Sie nachsehen, wo sie bleibt?",
                "Gern. Wie lautet Ihre Bestellnummer? Sie beginnt mit LM.",
            ),
            with(
                TrackOrder,
                "{order}",
                "Danke. {order} hat unser Lager verlassen und ist beim Spediteur. Voraussichtliche Ankunft: {day}",
            ),
            turn(
                "Geht es auch nachmittags? Bis zwei bin ich bei der Arbeit.",
                "Ich habe um Lieferung ab {time} Uhr gebeten. Der Spediteur bestätigt das am Vorabend.",
            ),
        ],
        [
            with(
                CheckStock,
                "Haben Sie {pieces} Stück von {article} auf Lager?",
                "Ja, {article} ist vorrätig, {pieces} Stück sind kein Problem. Soll ich sie für Sie zurücklegen?",
            ),
            turn(
                "Ja, bitte. Wie lange bleiben sie reserviert?",
                "Bis Ladenschluss am {day} Die Reservierung kostet nichts.",
            ),
            turn("Und was kostet die Lieferung?", "Ab 500 € liefern wir frei Haus, darunter für 49 €."),
        ],
        [
            turn(
                "Ich würde gern in den Ausstellungsraum kommen. Wann passt es?",
                "Sehr gern. Am {day} um {time} Uhr ist noch frei. Passt Ihnen das?",
            ),
            with(
                BookVisit,
                "{time} Uhr passt mir gut.",
                "Eingetragen: {place}, {day} um {time} Uhr. Die Bestätigung ist unterwegs.",
            ),
            turn(
                "Darf ich ein Stoffmuster mitbringen?",
                "Unbedingt. Unsere Gestalterin gleicht es mit der Kollektion ab.",
            ),
        ],
    ],
    hand_over: (
        "Kann ich bitte mit einem Menschen sprechen?",
        "Natürlich. Ich übergebe an eine Kollegin, sie meldet sich gleich hier.",
    ),
    waiting: "Ist noch jemand da? Ich brauche heute eine Antwort.",
    person: "Hallo, hier ist Frau Sommer aus dem Team. Ich habe alles gelesen und kümmere mich sofort darum.",
};
