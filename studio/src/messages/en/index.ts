/** All texts of the studio in English, by area and key. */
export * as en from "./areas.js";
