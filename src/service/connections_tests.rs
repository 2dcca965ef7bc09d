use super::*;

fn at(last: u8) -> IpAddr {
    [192, 0, 2, last].into()
}

/// Connections from an address, which a user has shown a token on where there is one.
fn seats(connections: &Arc<Connections>, count: usize, last: u8, user: Option<i64>) -> Vec<Seat> {
    let seat = || {
        let seat = connections.seat(at(last));
        if let Some(user) = user {
            seat.place().belongs_to(user);
        }
        seat
    };
    std::iter::repeat_with(seat).take(count).collect()
}

/// How many were evicted.
fn evicted(seats: &[Seat]) -> usize {
    seats.iter().filter(|seat| seat.place().evicted.is_cancelled()).count()
}

#[test]
fn guests_leave_half_of_the_places_to_users() {
    let connections = Arc::new(Connections::new(10, 5, BODIES));
    let guests: Vec<_> = (0..8).flat_map(|n| seats(&connections, 1, n, None)).collect();
    assert_eq!(evicted(&guests), 3);
    assert_eq!(evicted(&guests[..3]), 3, "the oldest give way");
    assert_eq!(connections.lock().len(), 5);
}

#[test]
fn newcomer_takes_a_place_from_the_address_with_the_most() {
    let connections = Arc::new(Connections::new(100, 20, BODIES));
    let (few, users) = (seats(&connections, 3, 1, None), seats(&connections, 1, 3, Some(7)));
    let many = seats(&connections, 50, 2, None);
    let other = seats(&connections, 1, 3, None);
    assert_eq!((evicted(&few), evicted(&other), evicted(&users)), (0, 0, 0));
    assert_eq!(50 - evicted(&many), 20 - few.len() - other.len());
}

#[test]
fn user_with_every_place_gives_way_to_guests_and_other_users() {
    let connections = Arc::default();
    // From two addresses, with fewer connections each than the newcomers have.
    let mut hog = seats(&connections, PLACES / 2, 1, Some(1));
    hog.extend(seats(&connections, PLACES / 2, 2, Some(1)));
    let ordinary = seats(&connections, 20, 3, Some(2));
    let guests = seats(&connections, 20, 4, None);
    assert_eq!((evicted(&hog), evicted(&ordinary), evicted(&guests)), (40, 0, 0));
    assert_eq!(evicted(&hog[..40]), 40, "the oldest give way");
}

#[test]
fn seven_addresses_and_a_user_leave_ordinary_connections_alone() {
    let connections = Arc::default();
    let (ordinary, guest) = (seats(&connections, 20, 9, Some(2)), seats(&connections, 1, 10, None));
    let hogs: Vec<_> = (0..4_000)
        .flat_map(|n| seats(&connections, 1, u8::try_from(n % 7).unwrap(), (n % 2 == 0).then_some(1)))
        .collect();
    assert_eq!((evicted(&ordinary), evicted(&guest)), (0, 0));
    assert_eq!(hogs.len() - evicted(&hogs), PLACES - 21);
}

#[test]
fn connection_on_which_nothing_moves_goes_first() {
    let connections = Arc::new(Connections::new(3, 3, BODIES));
    let three = seats(&connections, 3, 1, None);
    for moved in [0, 2] {
        three[moved].place().moved();
    }
    let _fourth = connections.seat(at(2));
    assert_eq!((evicted(&three), evicted(&three[1..2])), (1, 1));
}

#[test]
fn request_is_answered_unless_its_holder_has_no_other() {
    let connections = Arc::new(Connections::new(3, 3, BODIES));
    let three = seats(&connections, 3, 1, None);
    let (_one, _waiting) = (three[0].place().begin(None), three[1].place().begin(None));
    three[0].place().received();
    three[2].place().moved();
    let _fourth = connections.seat(at(2));
    assert_eq!(evicted(&three[1..2]), 1, "a request whose body is awaited is not being answered");
    let _fifth = connections.seat(at(3));
    assert_eq!((evicted(&three[..1]), evicted(&three)), (0, 2));
}

#[test]
fn what_a_proxy_passes_on_belongs_to_whom_it_names() {
    let connections = Arc::<Connections>::default();
    let seat = connections.seat(at(1));
    let place = seat.place();
    let named = Peer::of(at(7));
    drop(place.begin(Some(named)));
    assert_eq!(place.holder(), Holder::Guest(named));
    place.belongs_to(3);
    drop(place.begin(None));
    assert_eq!(place.holder(), Holder::User(3), "a connection of its own stays the user's");
    drop(place.begin(Some(named)));
    assert_eq!(place.holder(), Holder::Guest(named), "the next may be anybody's");
}

#[test]
fn request_whose_bytes_came_with_the_one_before_was_sent_ahead() {
    let connections = Arc::<Connections>::default();
    let seat = connections.seat(at(1));
    seat.place().has_read();
    assert_eq!([(); 2].map(|()| seat.place().was_sent_ahead()), [false, true]);
    seat.place().has_read();
    assert!(!seat.place().was_sent_ahead());
}

#[test]
fn places_are_given_back() {
    let connections = Arc::new(Connections::new(2, 2, BODIES));
    drop(seats(&connections, 9, 1, None));
    assert_eq!(connections.lock().len(), 0);
}
