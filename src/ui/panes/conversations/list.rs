//! What the list of conversations does beside paging: its filter, its forms, what a new page means.

use super::filter::{self, FILTER, Wanted};
use super::{Conversations, areas};
use crate::ui::prelude::*;
use jiff::civil::Date;

impl Conversations {
    /// Lists what passes this filter, from its first page on, and keeps it for the next start.
    pub(super) fn set_wanted(&mut self, wanted: Wanted, cx: &mut Context) {
        self.filter_draft = None;
        if wanted != self.paged.wanted {
            self.saved.keep_last(&wanted, cx);
            self.want(wanted, cx);
        }
    }

    /// Lists what passes this filter.
    pub(super) fn want(&mut self, wanted: Wanted, cx: &mut Context) {
        self.paged.want(wanted, cx);
        self.arrange(cx);
    }

    /// Days such as today move on at midnight, and once the user's zone is known.
    pub(super) fn move_days(&mut self, cx: &mut Context) {
        if self.paged.has_other_days(cx) {
            self.want(self.paged.wanted.clone(), cx);
        }
    }

    /// Takes the reply to a request for a page.
    pub(super) fn take(&mut self, report: Report, cx: &mut Context) {
        if let Some(arrived) = self.paged.take(report, cx) {
            if arrived.recovered {
                self.reading.try_again();
            }
            self.watch_page(arrived.same, cx);
        }
        self.arrange(cx);
    }

    /// Works out which rows are shown in which order, after anything that decides it has changed.
    pub(super) fn arrange(&mut self, cx: &Context) {
        self.paged.list.source.now = cx.now.wall;
        self.flag_rows(cx);
        self.paged.list.refresh(&cx.view(), areas::table(cx.body));
    }

    // The filter form.

    pub(super) fn open_filter(&mut self, cx: &mut Context) {
        filter::want_assistants(cx);
        let known = self.known(&cx.data);
        let by_customer = self.paged.list.source.shown().is_some_and(|shown| shown.numbers().is_none());
        let fields = filter::fields(&self.paged.wanted, by_customer, &cx.data, &known);
        let mut form = Form::new(fields).quick().clearing();
        for (path, value) in self.filter_draft.iter().flatten() {
            form.set(path, value);
        }
        filter::check(&mut form, &cx.data, &known, Self::today(cx));
        let about = Details::new(0).text(filter::ABOUT).styled(cx.options.theme.dim);
        let mut dialog = FormDialog::new("Filter conversations", "apply", form);
        dialog.about = about;
        cx.open(FILTER, dialog);
    }

    /// The assistants that the form offers.
    pub(super) fn known(&self, data: &Data) -> Vec<filter::Chosen> {
        filter::assistants(data, self.paged.list.source.loaded())
    }

    fn today(cx: &Context) -> Date {
        filter::today(cx.now.wall, cx.view().zone)
    }

    pub(super) fn check_filter(&mut self, cx: &mut Context) {
        let (known, today) = (self.known(&cx.data), Self::today(cx));
        if let Some(form) = cx.overlays.form(FILTER) {
            filter::check(form, &cx.data, &known, today);
        }
    }

    pub(super) fn submit_filter(&mut self, cx: &mut Context) {
        let (known, today) = (self.known(&cx.data), Self::today(cx));
        if let Some(wanted) = cx.overlays.submit(FILTER, |form| filter::read(form, &known, today)) {
            self.set_wanted(wanted, cx);
        }
    }

    pub(super) fn submit_page(&mut self, cx: &mut Context) {
        filter::submit_page(&mut self.paged, cx);
        self.arrange(cx);
    }
}
