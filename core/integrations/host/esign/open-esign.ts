import type {
  EsignCapabilities,
  Notice,
  PageVisit,
  RawNotice,
  RequestState,
  ShownPage,
  SignedFile,
  SignRequest,
  StartedRequest,
} from "../../../plugin-api/index.js";
import type { CallLimits } from "../call-limits.js";

/**
 * An e-signature provider with a connection's credentials. Each call is paced, timed, tried again where that is
 * harmless, and its result is checked. All reject with PlatenError, whose `cause` is the PlatformError when the provider
 * refused: `platformErrorOf` finds it.
 */
export interface OpenEsign {
  readonly id: string;
  readonly title: string;
  readonly capabilities: EsignCapabilities;
  check(limits?: CallLimits): Promise<{ account?: string; warnings: string[] }>;
  /** One attempt. After a failure that `isAmbiguous`, only `find` tells whether the request is there. */
  start(request: SignRequest, limits?: CallLimits): Promise<StartedRequest>;
  /** What an earlier `start` has left; null: there is none yet. */
  find(requestId: string, limits?: CallLimits): Promise<StartedRequest | null>;
  /** Its cause is `not_found` once the request is gone there. */
  status(externalId: string, limits?: CallLimits): Promise<RequestState>;
  /** Of a completed request; one labelled `signed` at least. */
  download(externalId: string, limits?: CallLimits): Promise<SignedFile[]>;
  /** @throws PlatenError `invalid_request` where the provider cannot. */
  cancel(externalId: string, limits?: CallLimits): Promise<void>;
  /** One attempt, for it sends mail. @throws PlatenError `invalid_request` where the provider cannot. */
  resend(externalId: string, limits?: CallLimits): Promise<void>;
  /** Null: it is forged, too old, or not about a request. Calls nobody, throws nothing. */
  parseNotice(notice: RawNotice): Notice | null;
  /** Null: this provider has no pages here. */
  page(visit: PageVisit, limits?: CallLimits): Promise<ShownPage | null>;
}
