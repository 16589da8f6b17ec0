import { useEffect, useState } from "preact/hooks";
import { Form, InputField, LanguageField, useAction } from "../ui/form.js";
import { ask } from "../api.js";
import platen from "../icons/platen.svg?url";
import { useResource } from "../resource.js";
import { base, place } from "../router.js";
import { Button } from "../ui/button.js";
import { Icon, type IconName } from "../ui/icon.js";
import { Fault, Notice } from "../ui/notice.js";
import { t } from "../messages/index.js";

interface Methods {
  mail: boolean;
  openId: string | null;
}

/** @param token from a sign-in link. It is used by a button only, so that link previews do not consume it. */
export function SignInPage({ token }: { token: string | null }) {
  useEffect(() => {
    document.title = t("signIn.signInPlaten");
  }, []);
  return (
    <main class="sign-in sign-in-explained">
      <div class="card sign-in-card">
        <div class="sign-in-head">
          <img src={platen} alt="" width={44} height={44} />
          <h1>{t("signIn.signInToPlaten")}</h1>
        </div>
        {token === null ? <SignInOptions /> : <LinkButton token={token} />}
        {token === null && <NoAccount />}
        <LanguageField />
      </div>
      <About />
    </main>
  );
}

/** What to do without an account or an API key. */
function NoAccount() {
  return (
    <section class="no-account small">
      <h2>{t("signIn.noAccount")}</h2>
      <p>{t("signIn.noAccountHelp")}</p>
      <p>{t("signIn.noKeyHelp")}</p>
    </section>
  );
}

const abilities: readonly [icon: IconName, title: string, help: string][] = [
  ["edit", t("signIn.design"), t("signIn.designHelp")],
  ["table", t("signIn.fill"), t("signIn.fillHelp")],
  ["sign", t("signIn.send"), t("signIn.sendHelp")],
];

/** What Platen is, for people who have followed a link to it. */
function About() {
  return (
    <section class="about" aria-label={t("signIn.about")}>
      <h2>{t("signIn.tagline")}</h2>
      <p>{t("signIn.whatItIs")}</p>
      <ul>
        {abilities.map(([icon, title, help]) => (
          <li key={title}>
            <span class="about-icon">
              <Icon name={icon} />
            </span>
            <strong>{title}</strong>
            <span>{help}</span>
          </li>
        ))}
      </ul>
      <a href="../docs/">{t("firstSteps.readDocs")}</a>
    </section>
  );
}

/** A link works once: a second click would fail and lose the session of the first. */
function LinkButton({ token }: { token: string }) {
  const [isSent, setSent] = useState(false);
  useEffect(() => {
    // The page was restored from the browser's cache, for example after a network error.
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
      <p class="muted">{t("signIn.thisLinkWorksOnceAnd")}</p>
      <Button kind="primary" type="submit" isWide isBusy={isSent}>
        {t("signIn.signIn")}
      </Button>
    </form>
  );
}

function SignInOptions() {
  const methods = useResource("", () => ask<Methods>("sign-in"));
  const { searchParams } = place.value;
  const problem = findProblem(
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
      {methods.fault && (
        <Fault
          what={t("signIn.couldntLoadSignInOptions")}
          why={methods.fault}
          onRetry={methods.reload}
        />
      )}
      {methods.data && <SignInMethods {...methods.data} />}
    </div>
  );
}

function SignInMethods({ mail, openId }: Methods) {
  return (
    <>
      {openId && (
        <a class="button primary wide" href={`${base}sign-in/openid`}>
          {t("signIn.continueWithOpenId", { openId })}
        </a>
      )}
      {openId && mail && <p class="or muted small">{t("signIn.or")}</p>}
      {mail && <MailForm isPrimary={!openId} />}
      {!mail && (
        <div class="stack small muted">
          <p>{openId ? t("signIn.orAskOperator") : t("signIn.askOperator")}</p>
          <code class="command">npm run platen -- user login-link you@…</code>
        </div>
      )}
    </>
  );
}

/** The answer does not tell whether there is such a user. */
function MailForm({ isPrimary }: { isPrimary: boolean }) {
  const [email, setEmail] = useState("");
  const [sentTo, setSentTo] = useState<string | null>(null);
  const send = useAction(async () => {
    await ask("sign-in/mail", "POST", { email });
    setSentTo(email);
  });
  if (sentTo !== null)
    return (
      <Notice tone="good" title={t("signIn.checkYourEmail")}>
        <p>{t("signIn.linkSent", { to: sentTo })}</p>
      </Notice>
    );
  return (
    <Form onSend={send.run}>
      <InputField
        label={t("people.emailAddress")}
        hint={t("signIn.emailHelp")}
        id="email"
        type="email"
        autocomplete="email"
        required
        value={email}
        onChange={setEmail}
      />
      {send.fault && <Notice tone="bad" title={send.fault} />}
      <Button
        type="submit"
        isWide
        isBusy={send.isBusy}
        {...(isPrimary && { kind: "primary" })}
      >
        {t("signIn.emailMeSignInLink")}
      </Button>
    </Form>
  );
}

interface Problem {
  title: string;
  advice: string;
}

const linkProblems: Record<string, Problem> = {
  gone: {
    title: t("signIn.thisLinkHasBeenUsed"),
    advice: t("signIn.eachLinkWorksOnceAnd"),
  },
  not_found: {
    title: t("signIn.thisLinkIsIncomplete"),
    advice: t("signIn.incompleteLinkHelp"),
  },
};

const openIdProblems: Record<string, Problem> = {
  forbidden: {
    title: t("signIn.youHaveNoAccountHere"),
    advice: t("signIn.noOrganizationForEmail"),
  },
  conflict: {
    title: t("signIn.yourEmailAddressIsNot"),
    advice: t("signIn.verifyEmailHelp"),
  },
  unauthorized: {
    title: t("signIn.signInWasNotCompleted"),
    advice: t("signIn.deniedHelp"),
  },
  invalid_request: {
    title: t("signIn.signInTookTooLong"),
    advice: t("signIn.startAgainInThisBrowser"),
  },
  unavailable: {
    title: t("signIn.providerNotResponding"),
    advice: t("signIn.providerNotRespondingHelp"),
  },
};

/** What went wrong, in words, and what to do. Null: nothing, as far as the address tells. */
function findProblem(
  way: string | null,
  problem: string | null,
): Problem | null {
  if (problem === null) return null;
  const knownProblem = (way === "openid" ? openIdProblems : linkProblems)[
    problem
  ];
  return (
    knownProblem ?? {
      title: t("signIn.couldntSignYouIn"),
      advice: t("signIn.waitMinuteThenTryAgain"),
    }
  );
}
