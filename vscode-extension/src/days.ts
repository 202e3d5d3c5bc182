// Days as people type them.

/** What is wrong with the last day of an exception, typed as YYYY-MM-DD; undefined if nothing is. Empty: no last day. */
export function wrongDay(text: string, today: Date): string | undefined {
  const typed = text.trim();
  if (!typed) {
    return undefined;
  }
  if (!/^\d{4}-\d{2}-\d{2}$/.test(typed)) {
    return "A day is written YYYY-MM-DD, such as 2027-03-31.";
  }
  const day = new Date(`${typed}T00:00:00Z`);
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== typed) {
    return "There is no such day.";
  }
  const month = String(today.getMonth() + 1).padStart(2, "0");
  const now = `${today.getFullYear()}-${month}-${String(today.getDate()).padStart(2, "0")}`;
  return typed < now ? "That day is over." : undefined;
}
