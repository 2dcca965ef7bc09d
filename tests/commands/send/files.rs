//! What files and settings do to a send: numbers of spreadsheets, formulas, a changed text, the span of repeats.

use super::*;

#[test]
fn numbers_of_spreadsheets_are_refused_and_odd_ones_told() {
    let stage = Stage::new();
    let values = ["--var", "1=Ada", "--var", "2=May", "--dry-run"];
    let to = |stage: &Stage, to: &str| stage.send(&[&REMINDER[..], &["--to", to], &values].concat());
    to(&stage, "+49 30 901820.0").ends(2).err("--to looks like +49 30 901820, written as a decimal number");
    let (file, settings) = (stage.home.path().join("live.token"), stage.home.path().join("config.toml"));
    std::fs::write(&file, stage.token).unwrap();
    std::fs::set_permissions(&file, Permissions::from_mode(0o600)).unwrap();
    let profile =
        format!("[profiles.live]\nbase_url = {:?}\ntoken_file = 'live.token'\ncountry = 'DE'\n", stage.base_url);
    std::fs::write(&settings, profile).unwrap();
    let live = ["--config", settings.to_str().unwrap(), "--profile", "live"];
    let said = stage.send(&[&REMINDER[..], &["--to", "4930901820"], &values, &live].concat()).ends(2);
    said.err("--to is +49 30 901820 or +49 4930 901820; write it with a + and the country code");

    let rows = "+14155550121,a,b\n4.930901820E9,a,b\n+1415555012,a,b\n\"4155550100,0\",a,b\n+99912345678,a,b\n";
    let list = stage.file("people.csv", &format!("to,customer_name,date\n{rows}"));
    stage
        .many(&list, &[&live[..], &["--dry-run"]].concat())
        .ends(5)
        .out("line 3  4.930901820E9  phone: looks like +49 30 901820, written as a decimal number with an exponent")
        .out("line 4  +1415555012  no number of North America has this length, as far as is known\n")
        .out("line 6  +99912345678  no country has this code, as far as is known\n")
        .out("3 rows can be sent, 2 cannot\n2 numbers look wrong: lines 4, 6\n");
    let told = json(&stage.many(&list, &["--dry-run", "--json"]).ends(5).out);
    let hints: Vec<_> = told.iter().filter(|row| row["hint"].is_string()).map(|row| row["line"].as_u64()).collect();
    assert_eq!(hints, [Some(4), Some(6)]);
    let summary = &told.last().unwrap()["summary"];
    assert_eq!((&summary["hints"], &summary["hint_lines"]), (&2.into(), &serde_json::json!([4, 6])));
    assert!(stage.delivered().is_empty());
}

#[test]
fn files_of_excel_are_read_and_files_without_a_header_refused() {
    let stage = Stage::new();
    let list = stage.file("people.csv", "sep=;\r\nto;customer_name;date\r\n+14155550121;a, b;c\r\nx;a;b\r\n");
    let said = stage.many(&list, &["--dry-run"]).ends(5);
    said.out("line 4  x  ").out("1 row can be sent, 1 cannot\n");
    let list = stage.file("people.csv", "+14155550121,a,b\n+14155550122,a,b\n");
    stage.many(&list, &["--yes"]).ends(2).err("line 1 looks like data: the header is missing");
    assert!(stage.delivered().is_empty());
}

#[test]
fn no_cell_of_results_and_exports_is_a_formula() {
    let stage = Stage::new();
    let list =
        stage.file("people.csv", "to,name,customer_name,date\n=1+1,-2,a,b\n+14155550121,@Ada,a,b\n+49 30 9,=x,a,b\n");
    let results = stage.home.path().join("results.csv");
    stage.many(&list, &["--yes", "--results", results.to_str().unwrap()]).ends(5);
    let written = std::fs::read_to_string(&results).unwrap();
    let starts: Vec<_> = written.lines().skip(1).map(|line| line.split(',').nth(1).unwrap()).collect();
    assert_eq!(starts, ["'=1+1", "+14155550121", "'+49 30 9"]);
    let output = stage.command("outbox").arg("--csv").output().unwrap();
    let export = String::from_utf8(output.stdout).unwrap();
    assert!(export.contains(",+14155550121,'@Ada,"), "{export}");
}

#[test]
fn another_text_of_the_template_is_not_sent_to_the_rest_by_yes_alone() {
    let mut stage = Stage::new();
    let list = stage.file("people.csv", &people(3));
    let sends = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&sends);
    let fault = move || match counted.fetch_add(1, Ordering::Relaxed) {
        1..9 => Fault::Answer(402),
        _ => Fault::None,
    };
    stage.base_url = Proxy::start(stage.address(), fault).base_url();
    stage.many(&list, &["--yes"]).ends(1).out("1 accepted, 0 refused, 0 unknown, 2 not sent");
    sends.store(9, Ordering::Relaxed);
    let database = Connection::open(data(stage.home.path())).unwrap();
    let write = |text: &str| database.execute("UPDATE templates SET body_text = $1 WHERE id = 1", [text]).unwrap();
    write("Dear {{1}}, {{2}} is off.");
    let why = "nothing was sent: the template's text has changed since this file was last sent";
    stage.many(&list, &["--yes", "--resume"]).ends(2).err(why).err("--again");
    stage.many(&list, &["--resume"]).ends(2).err(why);
    stage.many(&list, &["--dry-run"]).ends(0).err("warning: the template's text has changed since");
    assert_eq!(stage.delivered().len(), 1);
    write("Hi {{1}}, see you on {{2}}.");
    stage.many(&list, &["--yes", "--resume"]).ends(0).out("3 accepted");
    write("Dear {{1}}, {{2}} is off.");
    stage.many(&list, &["--yes", "--again"]).ends(0).out("3 accepted");
    assert!(stage.delivered().into_values().eq([2; 3]));
}

#[test]
fn the_span_in_which_a_repeat_is_asked_about_is_a_setting() {
    let stage = Stage::new();
    let settings = stage.file("config.toml", "[messaging]\nrepeat_hours = 2\n");
    let args =
        ["--config", settings.to_str().unwrap(), "--to", "+14155550123", "--var", "1=Ada", "--var", "2=May", "--yes"];
    let send = || stage.send(&[&REMINDER[..], &args].concat());
    send().ends(0);
    let age = |hours: i64| {
        let records = Connection::open(stage.home.path().join(".local/state/switchboard/records.db")).unwrap();
        records.execute("UPDATE outbox SET began = began - $1", [hours * 3_600_000_000]).unwrap();
    };
    age(1);
    send().ends(2).err("was sent this template on ");
    age(2);
    send().ends(0);
    assert_eq!(stage.delivered()["+14155550123"], 2);
}
