// The calculators of the strategic war, kept up to date while one types. Rows are sent even where they are empty.
import { keepUpToDate } from "./live_calculator.js";

keepUpToDate({ rows: "rows", keeps: (name) => /\d$/.test(name) });
