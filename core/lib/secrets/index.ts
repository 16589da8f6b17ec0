// Secrets that are kept for others, encrypted with keys that are derived from the service's own secret. Whose they are
// and where they are kept is not its matter.
export { SecretBox } from "./secret-box.js";
