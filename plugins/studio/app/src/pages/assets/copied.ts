import { toast } from "../../ui/toast.js";

/** Copies a text and says so. */
export async function copied(text: string, said: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  toast(said);
}
