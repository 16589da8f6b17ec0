import { type ComponentType as ViewType, createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Component } from "../../../../../../core/plugin-api/definition.js";
import type { Place } from "./place.js";

/** Draws any component with its guards. */
export type Draw = ViewType<{ component: Component; place: Place }>;

const DrawContext = createContext<Draw | null>(null);

/** Lists draw components, and these draw lists: what draws is handed down, so that neither needs to know the other. */
export const DrawProvider = DrawContext.Provider;

export function useDraw(): Draw {
  const draw = useContext(DrawContext);
  if (!draw) throw new Error("nothing draws components here");
  return draw;
}
