import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ConsentQuestion } from "../../../core/accounts/views.js";
import { ask } from "../api.js";
import platen from "../icons/platen.svg?url";
import { rich } from "../messages/rich.js";
import { t } from "../messages/index.js";
import { useResource } from "../resource.js";
import { base, place } from "../router.js";
import { loadMe, me } from "../session.js";
import { LabeledSelect } from "../ui/select.js";
import { Button } from "../ui/button.js";
import { Icon } from "../ui/icon.js";
import { Notice } from "../ui/notice.js";
import { scopeWords } from "./assistants.js";

/** Asks whether an assistant gets access. The page's query is the authorization request. */
export function ConnectPage() {
  const query = place.value.search.slice(1);
  const { data, fault } = useResource(query, async () => {
    await loadMe();
    return ask<ConsentQuestion>(`consent?${query}`);
  });
  const title = data ? t("connect.title", data.client) : t("shell.platen");
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <main class="sign-in">
      <div class="card sign-in-card connect-card">
        {fault !== null && <Refused why={fault} />}
        {data?.problem && (
          <Refused why={data.problem.message}>
            <a class="button wide" href={data.problem.redirect}>
              {t("connect.backTo", { host: data.redirectHost })}
            </a>
          </Refused>
        )}
        {data && !data.problem && <Question question={data} query={query} />}
      </div>
    </main>
  );
}

function Refused({
  why,
  children,
}: {
  why: string;
  children?: ComponentChildren;
}) {
  return (
    <>
      <img src={platen} alt="" width={44} height={44} />
      <h1>{t("connect.cannotConnect")}</h1>
      <Notice tone="bad" title={why} />
      <p class="muted">{t("connect.cannotConnectHelp")}</p>
      {children}
    </>
  );
}

interface QuestionProps {
  question: ConsentQuestion;
  /** The authorization request, which the answer repeats. */
  query: string;
}

function Question({ question, query }: QuestionProps) {
  const { client, organizations } = question;
  const [first] = organizations;
  const current = organizations.find(({ isCurrent }) => isCurrent) ?? first;
  const [chosenId, setChosenId] = useState(current?.id ?? "");
  const [isAllowed, setAllowed] = useState<boolean | null>(null);
  const chosen = organizations.find(({ id }) => id === chosenId);
  const answer = async (organizationId: string | null) => {
    const body = { query, organizationId };
    const { redirect } = await ask<{ redirect: string }>(
      "consent",
      "POST",
      body,
    );
    setAllowed(organizationId !== null);
    location.assign(redirect);
  };
  if (isAllowed !== null)
    return <Answered question={question} isAllowed={isAllowed} />;
  return (
    <>
      <Heads name={client.name} />
      <div class="connect-head">
        <h1>{t("connect.question", { name: client.name })}</h1>
        <p class="muted">
          {rich(
            "connect.signedInAs",
            {},
            { email: me.value?.user.email ?? "" },
          )}
        </p>
      </div>
      <Organization
        all={organizations}
        chosenId={chosenId}
        onChoose={setChosenId}
      />
      <Permissions scopes={chosen?.scopes ?? []} />
      <Destination question={question} />
      <div class="connect-acts">
        <Button isWide onPress={() => answer(null)}>
          {t("common.cancel")}
        </Button>
        <Button
          kind="primary"
          isWide
          reason={chosen?.scopes.length ? null : t("connect.roleAllowsNothing")}
          onPress={() => answer(chosenId)}
        >
          {t("connect.allow")}
        </Button>
      </div>
      <p class="muted small connect-foot">{t("connect.disconnectAnytime")}</p>
    </>
  );
}

/** A program on the device takes over; what it leaves behind is this page. */
function Answered({
  question: { client },
  isAllowed,
}: {
  question: ConsentQuestion;
  isAllowed: boolean;
}) {
  return (
    <>
      <Heads name={client.name} />
      <div class="connect-head" role="status">
        <h1>
          {isAllowed
            ? t("connect.done", client)
            : t("connect.declined", client)}
        </h1>
        <p class="muted">{t("connect.doneHelp")}</p>
      </div>
      <a class="button wide" href={base}>
        {t("connect.goToPlaten")}
      </a>
    </>
  );
}

function Heads({ name }: { name: string }) {
  return (
    <div class="connect-heads" aria-hidden="true">
      <span class="connect-initial">{name.slice(0, 1).toUpperCase()}</span>
      <span class="connect-line" />
      <img src={platen} alt="" width={44} height={44} />
    </div>
  );
}

interface OrganizationProps {
  all: ConsentQuestion["organizations"];
  chosenId: string;
  onChoose: (id: string) => void;
}

function Organization({ all, chosenId, onChoose }: OrganizationProps) {
  const [only, second] = all;
  if (second === undefined)
    return (
      <div class="field">
        <span class="label">{t("shell.organization")}</span>
        <strong>{only?.name}</strong>
      </div>
    );
  return (
    <LabeledSelect
      label={t("shell.organization")}
      value={chosenId}
      options={all.map(({ id, name }) => [id, name])}
      onChange={(id = "") => onChoose(id)}
    />
  );
}

function Permissions({ scopes }: { scopes: readonly string[] }) {
  if (scopes.length === 0)
    return (
      <Notice tone="warn" title={t("connect.roleAllowsNothing")}>
        <p>{t("connect.roleAllowsNothingHelp")}</p>
      </Notice>
    );
  return (
    <div class="field">
      <span class="label">{t("connect.itMay")}</span>
      <ul class="connect-scopes">
        {scopes.map((scope) => (
          <li key={scope}>
            <Icon name="check" size={18} />
            {scopeWords[scope] ?? scope}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Where the answer goes, and what is known of who asks. */
function Destination({ question }: { question: ConsentQuestion }) {
  const { client, redirectHost: host, isLocal } = question;
  const { name, verifiedHost } = client;
  return (
    <div class="connect-destination small">
      <Icon name="open" size={18} />
      <div>
        <p>
          {rich(
            isLocal ? "connect.toDevice" : "connect.toHost",
            {},
            {
              host,
            },
          )}
        </p>
        <p class="muted">
          {verifiedHost !== null
            ? t("connect.verified", { host: verifiedHost })
            : isLocal
              ? t("connect.ownNameOfDevice", { name })
              : t("connect.ownNameOfHost", { name, host })}
        </p>
      </div>
    </div>
  );
}
