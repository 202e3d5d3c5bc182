import assert from "node:assert/strict";
import { test } from "node:test";
import { wrongDay } from "../src/days";

const TODAY = new Date(2027, 2, 5, 23, 59);

test("a last day is a day to come, or none", () => {
  for (const typed of ["", "  ", "2027-03-05", " 2028-02-29 "]) {
    assert.equal(wrongDay(typed, TODAY), undefined, typed);
  }
});

test("what is no day, or over, is refused", () => {
  for (const typed of ["soon", "31.3.2027", "2027-3-31", "2027-02-30", "2027-13-01", "2027-03-04", "2027-03-31 --"]) {
    assert.ok(wrongDay(typed, TODAY), typed);
  }
});
