import type { DependencyContainer } from "tsyringe";
import type {
  DocumentToSign,
  MergedSigning,
  SignatureView,
  Signing,
  SigningPlan,
  SigningRequest,
} from "../../core/documents/index.js";
import * as tokens from "../../core/app/tokens.js";

/** A fake of the signatures capability: records its calls and accepts everything. */
export class FakeSigning implements Signing {
  readonly documents: DocumentToSign[] = [];
  readonly orders: MergedSigning[] = [];
  readonly wishes: SigningRequest[] = [];
  /** Called by the steps of their names; what they throw is refused. */
  onPrepare: () => void = () => {};
  onSettle: () => void = () => {};
  onStart: () => void = () => {};

  readonly register = (container: DependencyContainer): void => {
    container.register(tokens.SIGNING, { useValue: this });
  };

  async prepare(wish: SigningRequest): Promise<SigningPlan> {
    this.onPrepare();
    this.wishes.push(wish);
    return {
      settle: (merged) => {
        this.onSettle();
        this.orders.push(merged);
        return {
          record: async (_tx, document) => {
            this.documents.push(document);
            return `sig_${this.documents.length}`;
          },
        };
      },
    };
  }

  async startNow(_organizationId: string, id: string): Promise<SignatureView> {
    this.onStart();
    return { ...viewOf(id), status: "pending" };
  }

  async view(_organizationId: string, id: string): Promise<SignatureView> {
    return viewOf(id);
  }

  nudge(): void {}
}

function viewOf(id: string): SignatureView {
  return { id, provider: "stand-in", status: "starting", submitters: [] };
}
