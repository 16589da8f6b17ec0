import type { ComponentType } from "preact";
import { Link, path } from "./router.js";
import { MorePage, Shell } from "./shell.js";
import { SignInPage } from "./pages/sign-in.js";
import { TemplatesPage } from "./pages/templates/templates.js";
import { lazy } from "./ui/loading.js";
import { Empty } from "./ui/notice.js";
import { PageTitle } from "./ui/page-title.js";
import { Toasts } from "./ui/toast.js";
import { t } from "./messages/index.js";

const ConnectPage = lazy(() =>
  import("./pages/connect.js").then((module) => module.ConnectPage),
);

const pages: [pattern: RegExp, Page: ComponentType<{ id: string }>][] = [
  [/^(?:templates)?$/, TemplatesPage],
  [
    /^templates\/new$/,
    lazy(() =>
      import("./pages/templates/new-template.js").then(
        ({ NewTemplatePage }) => NewTemplatePage,
      ),
    ),
  ],
  [
    /^templates\/([\w-]+)$/,
    lazy(() =>
      import("./pages/templates/template.js").then(
        ({ TemplatePage }) => TemplatePage,
      ),
    ),
  ],
  [
    /^blocks$/,
    lazy(() =>
      import("./pages/blocks.js").then(({ BlocksPage }) => BlocksPage),
    ),
  ],
  [
    /^assets$/,
    lazy(() =>
      import("./pages/assets.js").then(({ AssetsPage }) => AssetsPage),
    ),
  ],
  [
    /^documents$/,
    lazy(() =>
      import("./pages/documents.js").then(({ DocumentsPage }) => DocumentsPage),
    ),
  ],
  [
    /^buttons$/,
    lazy(() =>
      import("./pages/buttons.js").then(({ ButtonsPage }) => ButtonsPage),
    ),
  ],
  [
    /^batches$/,
    lazy(() =>
      import("./pages/batches.js").then(({ BatchesPage }) => BatchesPage),
    ),
  ],
  [
    /^batches\/([\w-]+)$/,
    lazy(() => import("./pages/batches.js").then(({ BatchPage }) => BatchPage)),
  ],
  [
    /^connections$/,
    lazy(() =>
      import("./pages/connections/connections.js").then(
        ({ ConnectionsPage }) => ConnectionsPage,
      ),
    ),
  ],
  [
    /^connections\/return$/,
    lazy(() =>
      import("./pages/connections/connections.js").then(
        ({ AuthorizationReturnPage }) => AuthorizationReturnPage,
      ),
    ),
  ],
  [
    /^webhooks$/,
    lazy(() =>
      import("./pages/webhooks/webhooks.js").then(
        ({ WebhooksPage }) => WebhooksPage,
      ),
    ),
  ],
  [
    /^webhooks\/([\w-]+)$/,
    lazy(() =>
      import("./pages/webhooks/webhooks.js").then(
        ({ WebhookPage }) => WebhookPage,
      ),
    ),
  ],
  [
    /^usage$/,
    lazy(() => import("./pages/usage.js").then(({ UsagePage }) => UsagePage)),
  ],
  [
    /^keys$/,
    lazy(() => import("./pages/keys.js").then(({ KeysPage }) => KeysPage)),
  ],
  [
    /^assistants$/,
    lazy(() =>
      import("./pages/assistants.js").then(
        ({ AssistantsPage }) => AssistantsPage,
      ),
    ),
  ],
  [
    /^people$/,
    lazy(() =>
      import("./pages/people.js").then(({ PeoplePage }) => PeoplePage),
    ),
  ],
  [
    /^audit$/,
    lazy(() => import("./pages/audit.js").then(({ AuditPage }) => AuditPage)),
  ],
  [
    /^plugins$/,
    lazy(() =>
      import("./pages/plugins.js").then(({ PluginsPage }) => PluginsPage),
    ),
  ],
  [/^more$/, MorePage],
  [
    /^account$/,
    lazy(() =>
      import("./pages/account.js").then(({ AccountPage }) => AccountPage),
    ),
  ],
  [
    /^start(?:\/([\w-]+))?$/,
    lazy(() =>
      import("./wizard/wizard-page.js").then(({ WizardPage }) => WizardPage),
    ),
  ],
];

/** Pages that fill the window, with code of their own. */
const widePages: typeof pages = [
  [
    /^templates\/([\w-]+)\/edit$/,
    lazy(() =>
      import("./editor/editor-page.js").then(({ EditorPage }) => EditorPage),
    ),
  ],
  [
    /^blocks\/([\w-]+)\/edit$/,
    lazy(() =>
      import("./editor/blocks/block-editor.js").then(
        ({ BlockEditorPage }) => BlockEditorPage,
      ),
    ),
  ],
];

/** The page of the address, within the frame that all share but those for signing in and connecting. */
export function App() {
  const here = path.value.replace(/\/$/, "");
  return (
    <>
      <FramedPage here={here} />
      <Toasts />
    </>
  );
}

function FramedPage({ here }: { here: string }) {
  if (/^sign-in(?:\/|$)/.test(here))
    return <SignInPage token={here.split("/")[1] ?? null} />;
  return here === "connect" ? <ConnectPage /> : <ShownPage here={here} />;
}

function ShownPage({ here }: { here: string }) {
  const wide = pageAt(widePages, here);
  return (
    <Shell isBare={wide !== null}>
      {wide ?? pageAt(pages, here) ?? <MissingPage />}
    </Shell>
  );
}

function pageAt(list: typeof pages, here: string) {
  for (const [pattern, Page] of list) {
    const match = pattern.exec(here);
    if (match) return <Page id={match[1] ?? ""} key={here} />;
  }
  return null;
}

function MissingPage() {
  return (
    <>
      <PageTitle title={t("shell.pageNotFound")} />
      <div class="card">
        <Empty icon="search" title={t("shell.pageDoesntExist")}>
          <p>{t("shell.checkAddress")}</p>
          <Link class="button" to="templates">
            {t("shell.goToTemplates")}
          </Link>
        </Empty>
      </div>
    </>
  );
}
