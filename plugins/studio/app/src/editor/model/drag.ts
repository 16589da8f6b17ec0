import { signal } from "@preact/signals";
import type { Component } from "../../../../../../core/plugin-api/definition.js";
import type { Spot } from "./tree.js";

/** What is being dragged: a component that is there, or a new one from the palette. */
export type Dragged = { id: string } | { make: () => Component };

/** The one drag that a pointer can do at a time. */
export class Drag {
  /** Null while nothing is dragged. */
  readonly dragged = signal<Dragged | null>(null);
  /** Where it would go if it were let go now; null where it may not. */
  readonly dropSpot = signal<Spot | null>(null);
  /** Where the pointer is in the window, in CSS px. */
  readonly point = signal({ x: 0, y: 0 });
}
