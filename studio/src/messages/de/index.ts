/** All texts of the studio in German, by area and key. */
export * as de from "./areas.js";
