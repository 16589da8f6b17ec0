/** All texts of the studio in Spanish, by area and key. */
export * as es from "./areas.js";
