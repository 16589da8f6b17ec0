/** All texts of the studio in French, by area and key. */
export * as fr from "./areas.js";
