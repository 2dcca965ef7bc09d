//! French, Spanish, Portuguese and Italian.

use super::StoryTool::{BookVisit, CheckStock, TrackOrder};
use super::{Stories, turn, with};

pub(super) const FRENCH: Stories = Stories {
    date: "%-d/%-m",
    place: "Paris",
    greeting: "Bonjour ! Je suis l'assistant virtuel. Comment puis-je vous aider ?",
    hello: "Bonjour,",
    requests: &[
        [
            turn(
                "J'attends toujours ma commande. Pouvez-vous me dire où elle est ?",
                "Bien sûr. Quel est votre numéro de commande ? Il commence par LM.",
            ),
            with(
                TrackOrder,
                "C'est {order}.",
                "Merci. {order} a quitté notre entrepôt ; la livraison est prévue le {day}.",
            ),
            turn(
                "L'après-midi, ce serait possible ? Je travaille jusqu'à 14 h.",
                "J'ai demandé un passage à partir de {time}. Le transporteur confirmera la veille au soir.",
            ),
        ],
        [
            with(
                CheckStock,
                "Avez-vous {pieces} exemplaires de {article} en stock ?",
                "Oui, {article} est disponible, {pieces} pièces ne posent aucun problème. Je vous les réserve ?",
            ),
            turn("Oui, merci. Jusqu'à quand ?", "Jusqu'au {day}, à la fermeture. La réservation est gratuite."),
            turn(
                "Et la livraison, combien coûte-t-elle ?",
                "Elle est offerte à partir de 500 € ; en dessous, c'est 49 €.",
            ),
        ],
        [
            turn(
                "Je voudrais visiter le showroom. Quand est-ce possible ?",
                "Avec plaisir. Le {day} à {time} est encore libre. Cela vous convient ?",
            ),
            with(
                BookVisit,
                "Le {day} à {time}, c'est parfait.",
                "C'est noté : {place}, le {day} à {time}. La confirmation est en route.",
            ),
            turn(
                "Puis-je apporter un échantillon de tissu ?",
                "Tout à fait, notre décoratrice l'accordera à la collection.",
            ),
        ],
    ],
    hand_over: (
        "Je préférerais parler à quelqu'un, s'il vous plaît.",
        "Bien entendu. Je vous passe une collègue, elle vous répondra ici dans un instant.",
    ),
    waiting: "Il y a quelqu'un ? J'ai besoin d'une réponse aujourd'hui.",
    person: "Bonjour, Claire à l'appareil. J'ai tout relu et je m'en occupe tout de suite.",
};

pub(super) const SPANISH: Stories = Stories {
    date: "%-d/%-m",
    place: "Madrid",
    greeting: "¡Hola! Soy el asistente virtual. ¿En qué puedo ayudarle?",
    hello: "¡Hola, buenas!",
    requests: &[
        [
            turn(
                "Sigo esperando mi pedido. ¿Puede mirar dónde está?",
                "Claro. ¿Cuál es el número de pedido? Empieza por LM.",
            ),
            with(
                TrackOrder,
                "Es el {order}.",
                "Gracias. El pedido {order} ya salió del almacén y debería llegar el {day}.",
            ),
            turn(
                "¿Podría ser por la tarde? Trabajo hasta las dos.",
                "He pedido la entrega a partir de las {time}. El transportista lo confirma la noche anterior.",
            ),
        ],
        [
            with(
                CheckStock,
                "¿Tienen {pieces} unidades de {article} en existencias?",
                "Sí, {article} está disponible y {pieces} unidades no son problema. ¿Se las reservo?",
            ),
            turn("Sí, por favor. ¿Hasta cuándo?", "Hasta el {day}, a la hora de cierre. La reserva no cuesta nada."),
            turn("¿Y cuánto cuesta el envío?", "Es gratuito a partir de 500 €; por debajo son 49 €."),
        ],
        [
            turn(
                "Me gustaría visitar la tienda. ¿Cuándo puedo ir?",
                "Encantados. El {day} a las {time} queda un hueco. ¿Le viene bien?",
            ),
            with(
                BookVisit,
                "El {day} a las {time} me viene perfecto.",
                "Reservado: {place}, {day} a las {time}. Le enviamos la confirmación.",
            ),
            turn(
                "¿Puedo llevar una muestra de tela?",
                "Por supuesto, nuestra diseñadora la combinará con la colección.",
            ),
        ],
    ],
    hand_over: (
        "Quiero hablar con una persona, por favor.",
        "Por supuesto. Le paso con una compañera, que le contestará aquí enseguida.",
    ),
    waiting: "¿Hay alguien ahí? Necesito una respuesta hoy.",
    person: "Hola, soy Carmen, del equipo. Lo he leído todo y me ocupo ahora mismo.",
};

pub(super) const PORTUGUESE: Stories = Stories {
    date: "%-d/%-m",
    place: "Lisboa",
    greeting: "Olá! Sou o assistente virtual. Como posso ajudar?",
    hello: "Oi, tudo bem?",
    requests: &[
        [
            turn(
                "Ainda estou esperando o meu pedido. Pode ver onde ele está?",
                "Claro. Qual é o número do pedido? Começa com LM.",
            ),
            with(TrackOrder, "É o {order}.", "Obrigado. O pedido {order} já saiu do armazém e deve chegar em {day}."),
            turn(
                "Pode ser à tarde? Trabalho até as duas.",
                "Pedi a entrega a partir das {time}. A transportadora confirma na noite anterior.",
            ),
        ],
        [
            with(
                CheckStock,
                "Vocês têm {pieces} unidades de {article} em estoque?",
                "Temos sim, {article} está disponível e {pieces} unidades não são problema. Posso reservar?",
            ),
            turn("Pode, por favor. Até quando?", "Até {day}, na hora de fechar. A reserva não custa nada."),
            turn("E quanto custa a entrega?", "É grátis acima de 500 €; abaixo disso, 49 €."),
        ],
        [
            turn(
                "Queria visitar o showroom. Quando posso ir?",
                "Com prazer. Em {day} às {time} ainda há vaga. Fica bom?",
            ),
            with(
                BookVisit,
                "{day} às {time} está ótimo.",
                "Marcado: {place}, {day} às {time}. A confirmação já foi enviada.",
            ),
            turn("Posso levar uma amostra de tecido?", "Pode sim, a nossa designer vai combinar com a coleção."),
        ],
    ],
    hand_over: (
        "Posso falar com uma pessoa, por favor?",
        "Claro. Vou passar para uma colega, ela responde aqui em instantes.",
    ),
    waiting: "Tem alguém aí? Preciso de uma resposta hoje.",
    person: "Olá, aqui é a Joana, da equipe. Li tudo e já estou resolvendo.",
};

pub(super) const ITALIAN: Stories = Stories {
    date: "%-d/%-m",
    place: "Milano",
    greeting: "Buongiorno! Sono l'assistente virtuale. Come posso aiutarla?",
    hello: "Buongiorno!",
    requests: &[
        [
            turn(
                "Sto ancora aspettando il mio ordine. Può vedere dov'è?",
                "Certo. Qual è il numero d'ordine? Comincia con LM.",
            ),
            with(
                TrackOrder,
                "È {order}.",
                "Grazie. L'ordine {order} ha lasciato il magazzino e dovrebbe arrivare il {day}.",
            ),
            turn(
                "Potrebbe arrivare di pomeriggio? Lavoro fino alle due.",
                "Ho chiesto la consegna dalle {time} in poi. Il corriere conferma la sera prima.",
            ),
        ],
        [
            with(
                CheckStock,
                "Avete {pieces} pezzi di {article} in magazzino?",
                "Sì, {article} è disponibile e {pieces} pezzi non sono un problema. Glieli metto da parte?",
            ),
            turn("Sì, grazie. Fino a quando?", "Fino al {day}, alla chiusura. La prenotazione è gratuita."),
            turn("E quanto costa la consegna?", "È gratuita sopra i 500 €; sotto costa 49 €."),
        ],
        [
            turn(
                "Vorrei visitare lo showroom. Quando posso venire?",
                "Volentieri. Il {day} alle {time} c'è ancora posto. Le va bene?",
            ),
            with(
                BookVisit,
                "Il {day} alle {time} va benissimo.",
                "Prenotato: {place}, {day} alle {time}. La conferma è in arrivo.",
            ),
            turn("Posso portare un campione di stoffa?", "Certamente, la nostra designer lo abbinerà alla collezione."),
        ],
    ],
    hand_over: (
        "Posso parlare con una persona, per favore?",
        "Certo. La passo a una collega, che le risponderà qui tra un attimo.",
    ),
    waiting: "C'è qualcuno? Mi serve una risposta oggi.",
    person: "Buongiorno, sono Paola. Ho letto tutto e me ne occupo subito.",
};
