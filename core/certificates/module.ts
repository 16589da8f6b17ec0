import {
  type DependencyContainer,
  registerClass,
  registerFactory,
} from "../lib/injection.js";
import { SecretBox } from "../lib/secrets.js";
import { SECRETS } from "../lib/tokens.js";
import { SigningCertificates } from "./index.js";
import { SIGNING_CERTIFICATES, SIGNING_KEY_SECRETS } from "./tokens.js";

export function registerCertificates(container: DependencyContainer): void {
  registerClass(container, SIGNING_CERTIFICATES, SigningCertificates);
  registerFactory(
    container,
    SIGNING_KEY_SECRETS,
    (c) => new SecretBox(c.resolve(SECRETS), "signing certificate keys"),
  );
}
