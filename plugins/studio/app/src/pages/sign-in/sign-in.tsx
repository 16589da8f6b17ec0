import { useEffect, useState } from "preact/hooks";
import { ask } from "../../api.js";
import platen from "../../icons/platen.svg?url";
import { base, place } from "../../router.js";
import { useResource } from "../../resource.js";
import { Button } from "../../ui/button.js";
import { Fault, Notice } from "../../ui/notice.js";
import { MailForm } from "./mail-form.js";
import { problemWords } from "./sign-in-problems.js";

interface Offers {
  mail: boolean;
  openId: string | null;
}

/** @param token of a link that was opened: its page has a button, since looking at a link is not using it. */
export function SignInPage({ token }: { token: string | null }) {
  useEffect(() => {
    document.title = "Sign in · Platen";
  }, []);
  return (
    <main class="sign-in">
      <div class="card sign-in-card">
        <img src={platen} alt="" width={44} height={44} />
        <h1>Sign in to Platen</h1>
        {token === null ? <Ways /> : <LinkButton token={token} />}
      </div>
    </main>
  );
}

/** A link is good for one press: the second of two would find it used, and what the first brought would be lost. */
function LinkButton({ token }: { token: string }) {
  const [isSent, setSent] = useState(false);
  useEffect(() => {
    // Come back to as it was left, for instance when there was no network.
    const again = () => setSent(false);
    addEventListener("pageshow", again);
    return () => removeEventListener("pageshow", again);
  }, []);
  return (
    <form
      class="stack"
      method="post"
      action={`${base}sign-in/${token}`}
      onSubmit={() => setSent(true)}
    >
      <p class="muted">
        Your link is here. It works once, and signs this browser in.
      </p>
      <Button kind="primary" type="submit" isWide isBusy={isSent}>
        Sign in
      </Button>
    </form>
  );
}

function Ways() {
  const offers = useResource("", () => ask<Offers>("sign-in"));
  const { searchParams } = place.value;
  const problem = problemWords(
    searchParams.get("way"),
    searchParams.get("problem"),
  );
  return (
    <div class="stack">
      {problem && (
        <Notice tone="bad" title={problem.title}>
          <p>{problem.advice}</p>
        </Notice>
      )}
      {offers.fault && (
        <Fault
          what="The ways to sign in could not be read"
          why={offers.fault}
          onRetry={offers.reload}
        />
      )}
      {offers.data && <Offered {...offers.data} />}
    </div>
  );
}

function Offered({ mail, openId }: Offers) {
  return (
    <>
      {openId && (
        <a class="button primary wide" href={`${base}sign-in/openid`}>
          Continue with {openId}
        </a>
      )}
      {openId && mail && <p class="or muted small">or</p>}
      {mail && <MailForm isPrimary={!openId} />}
      {!mail && (
        <div class="stack small muted">
          <p>
            {openId ? "Or ask" : "Ask"} whoever runs Platen for a sign-in link.
            They make one with
          </p>
          <code class="command">npm run platen -- user login-link you@…</code>
        </div>
      )}
    </>
  );
}
