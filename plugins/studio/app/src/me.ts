import type {
  AppProfile,
  AppRole,
} from "../../../../core/plugin-api/app-plugin.js";
import { signal } from "@preact/signals";
import { ask } from "./api.js";
import { pageOwner } from "./standing.js";

/** Who is signed in; null until it is known. */
export const me = signal<AppProfile | null>(null);

/** Asks who it is: the page is theirs from then on, and their role may be another than before. */
export async function loadMe(): Promise<void> {
  const profile = await ask<AppProfile>("me");
  pageOwner.value ??= profile;
  if (JSON.stringify(profile) !== JSON.stringify(me.peek())) me.value = profile;
}

export function may(role: AppRole): boolean {
  const order: AppRole[] = ["viewer", "editor", "owner"];
  return (
    me.value !== null && order.indexOf(me.value.role) >= order.indexOf(role)
  );
}
