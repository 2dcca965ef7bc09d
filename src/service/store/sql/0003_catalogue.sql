-- What assistants are made from. The names are made up; the shape is that of a real catalogue.

INSERT INTO languages (id, name, iso_2) VALUES
    (1, 'English', 'en'),
    (2, 'German', 'de'),
    (3, 'French', 'fr'),
    (4, 'Spanish', 'es'),
    (5, 'Portuguese', 'pt'),
    (6, 'Italian', 'it'),
    (7, 'Dutch', 'nl'),
    (8, 'Swedish', 'sv'),
    (9, 'Japanese', 'ja'),
    (10, 'Korean', 'ko'),
    (11, 'Arabic', 'ar'),
    (12, 'Hindi', 'hi');

INSERT INTO synthesizer_providers (id, name, code) VALUES
    (1, 'Lumen Voice', 'lumen'),
    (2, 'Polyphon', 'polyphon'),
    (3, 'Kotoba Speech', 'kotoba'),
    (4, 'Sonorite', 'sonorite');

INSERT INTO synthesizer_languages (provider_id, language_id) VALUES
    (1, 1),
    (1, 2),
    (1, 3),
    (1, 4),
    (1, 5),
    (1, 6),
    (1, 7),
    (1, 8),
    (1, 9),
    (1, 10),
    (1, 11),
    (1, 12),
    (2, 1),
    (2, 2),
    (2, 3),
    (2, 4),
    (2, 5),
    (2, 6),
    (2, 7),
    (2, 8),
    (3, 1),
    (3, 9),
    (3, 10),
    (3, 12),
    (4, 1),
    (4, 3),
    (4, 11),
    (4, 4);

INSERT INTO transcriber_providers (id, name, code) VALUES
    (1, 'Earshot', 'earshot'),
    (2, 'Scribeline', 'scribeline'),
    (3, 'Kikitori', 'kikitori');

INSERT INTO transcriber_languages (provider_id, language_id) VALUES
    (1, 1),
    (1, 2),
    (1, 3),
    (1, 4),
    (1, 5),
    (1, 6),
    (1, 7),
    (1, 8),
    (1, 9),
    (1, 10),
    (1, 11),
    (1, 12),
    (2, 1),
    (2, 2),
    (2, 3),
    (2, 4),
    (2, 5),
    (2, 6),
    (2, 7),
    (2, 8),
    (3, 1),
    (3, 9),
    (3, 10);

INSERT INTO llm_models (id, name) VALUES
    (1, 'Atlas 4 mini'),
    (2, 'Atlas 4'),
    (3, 'Heron Large'),
    (4, 'Heron Small'),
    (5, 'Quill 70B');

INSERT INTO multimodal_models (id, mode, name, code) VALUES
    (1, 'multimodal', 'Duet Live', 'duet-live'),
    (2, 'multimodal', 'Duet Live mini', 'duet-live-mini'),
    (3, 'multimodal', 'Heron Realtime', 'heron-realtime'),
    (4, 'dualplex', 'Duet Dual', 'duet-dual'),
    (5, 'dualplex', 'Heron Dual', 'heron-dual');

INSERT INTO voices (id, name, language_id, gender, preview_url, accent, age, synthesizer_provider_id) VALUES
    (1, 'Amelia', 1, 'female', 'https://media.example.com/voices/en-amelia.mp3', 'British', 'young', 1),
    (2, 'Ashby', 1, 'male', 'https://media.example.com/voices/en-ashby.mp3', 'American', 'middle_aged', 1),
    (3, 'Maeve', 1, 'female', 'https://media.example.com/voices/en-maeve.mp3', 'Irish', 'middle_aged', 2),
    (4, 'Bruce', 1, 'male', 'https://media.example.com/voices/en-bruce.mp3', 'Australian', 'old', 4),
    (5, 'Katharina', 2, 'female', 'https://media.example.com/voices/de-katharina.mp3', NULL, 'middle_aged', 1),
    (6, 'Jonas', 2, 'male', 'https://media.example.com/voices/de-jonas.mp3', NULL, 'young', 2),
    (7, 'Leni', 2, 'female', 'https://media.example.com/voices/de-leni.mp3', 'Austrian', 'young', 2),
    (8, 'Camille', 3, 'female', 'https://media.example.com/voices/fr-camille.mp3', 'Parisian', 'young', 1),
    (9, 'Antoine', 3, 'male', 'https://media.example.com/voices/fr-antoine.mp3', NULL, 'middle_aged', 4),
    (10, 'Océane', 3, 'female', 'https://media.example.com/voices/fr-oceane.mp3', 'Québécois', 'young', 2),
    (11, 'Lucía', 4, 'female', 'https://media.example.com/voices/es-lucia.mp3', 'Castilian', 'young', 1),
    (12, 'Mateo', 4, 'male', 'https://media.example.com/voices/es-mateo.mp3', 'Mexican', 'middle_aged', 2),
    (13, 'Beatriz', 5, 'female', 'https://media.example.com/voices/pt-beatriz.mp3', 'Brazilian', 'young', 1),
    (14, 'Tomás', 5, 'male', 'https://media.example.com/voices/pt-tomas.mp3', 'European', 'middle_aged', 2),
    (15, 'Giulia', 6, 'female', 'https://media.example.com/voices/it-giulia.mp3', NULL, 'middle_aged', 1),
    (16, 'Lorenzo', 6, 'male', 'https://media.example.com/voices/it-lorenzo.mp3', NULL, 'old', 2),
    (17, 'Sanne', 7, 'female', 'https://media.example.com/voices/nl-sanne.mp3', NULL, 'young', 1),
    (18, 'Elsa', 8, 'female', 'https://media.example.com/voices/sv-elsa.mp3', NULL, 'middle_aged', 1),
    (19, 'さくら', 9, 'female', 'https://media.example.com/voices/ja-sakura.mp3', NULL, 'young', 3),
    (20, '健太', 9, 'male', 'https://media.example.com/voices/ja-kenta.mp3', NULL, 'middle_aged', 3),
    (21, '서연', 10, 'female', 'https://media.example.com/voices/ko-seoyeon.mp3', NULL, 'young', 3),
    (22, 'ليلى', 11, 'female', 'https://media.example.com/voices/ar-layla.mp3', 'Gulf', 'middle_aged', 4),
    (23, 'कविता', 12, 'female', 'https://media.example.com/voices/hi-kavita.mp3', NULL, 'young', 3),
    (24, 'Vega', 1, 'male', 'https://media.example.com/voices/live-en-vega.mp3', NULL, NULL, NULL),
    (25, 'Sol', 2, 'female', 'https://media.example.com/voices/live-de-sol.mp3', NULL, NULL, NULL),
    (26, 'Vega', 3, 'male', 'https://media.example.com/voices/live-fr-vega.mp3', NULL, NULL, NULL),
    (27, 'Sol', 4, 'female', 'https://media.example.com/voices/live-es-sol.mp3', NULL, NULL, NULL),
    (28, 'Vega', 5, 'male', 'https://media.example.com/voices/live-pt-vega.mp3', NULL, NULL, NULL),
    (29, 'Sol', 6, 'female', 'https://media.example.com/voices/live-it-sol.mp3', NULL, NULL, NULL),
    (30, 'Vega', 7, 'male', 'https://media.example.com/voices/live-nl-vega.mp3', NULL, NULL, NULL),
    (31, 'Sol', 8, 'female', 'https://media.example.com/voices/live-sv-sol.mp3', NULL, NULL, NULL),
    (32, 'Vega', 9, 'male', 'https://media.example.com/voices/live-ja-vega.mp3', NULL, NULL, NULL),
    (33, 'Sol', 10, 'female', 'https://media.example.com/voices/live-ko-sol.mp3', NULL, NULL, NULL),
    (34, 'Vega', 11, 'male', 'https://media.example.com/voices/live-ar-vega.mp3', NULL, NULL, NULL),
    (35, 'Sol', 12, 'female', 'https://media.example.com/voices/live-hi-sol.mp3', NULL, NULL, NULL);

-- Assistants of the first version had the first voice of all and no model.
UPDATE assistants SET voice_id = (SELECT MIN(id) FROM voices WHERE language_id = 1 AND synthesizer_provider_id IS NULL)
    WHERE mode = 'multimodal';
UPDATE assistants SET settings = '{"llm_model_id":1}' WHERE mode = 'pipeline';
UPDATE assistants SET settings = '{"multimodal_model_id":1}' WHERE mode = 'multimodal';
UPDATE assistants SET settings = '{"multimodal_model_id":4}' WHERE mode = 'dualplex';
