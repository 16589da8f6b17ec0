import { go, path, place } from "./router.js";

const key = "platen-way-back";

/** The session is over: to the sign-in page, and afterwards back to where the person was, in the same tab. */
export function leaveToSignIn(): void {
  if (path.value.startsWith("sign-in")) return;
  sessionStorage.setItem(key, path.value + place.value.search);
  go("sign-in", { replace: true });
}

/** After the sign-in, which ends on the first page. */
export function comeBack(): void {
  const back = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  if (back !== null && path.value === "") go(back, { replace: true });
}
