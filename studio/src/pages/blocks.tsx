import { askPublic } from "../api.js";
import { loadBlocks } from "../editor/blocks/block-panel.js";
import { dayOf } from "../format.js";
import { t } from "../messages/index.js";
import { useResource } from "../resource.js";
import { Link } from "../router.js";
import { may } from "../session.js";
import { deleteAction, EntryMenu, renameAction } from "../ui/action-menu.js";
import { LoadStatus } from "../ui/loading.js";
import { Empty } from "../ui/notice.js";
import { PageTitle } from "../ui/page-title.js";
import { toast } from "../ui/toast.js";
import type { Block } from "../editor/model/editor.js";

export function BlocksPage() {
  const blocks = useResource("", loadBlocks);
  const { data } = blocks;
  return (
    <>
      <PageTitle title={t("blocks.title")} lead={t("blocks.lead")} />
      <LoadStatus resource={blocks} what={t("blocks.couldntLoad")} />
      {data?.length === 0 && (
        <Empty icon="block" title={t("blocks.noBlocksYet")}>
          <p>{t("blocks.noBlocksHelp")}</p>
          <Link class="button" to="templates">
            {t("shell.goToTemplates")}
          </Link>
        </Empty>
      )}
      {data && data.length > 0 && (
        <ul class="card lines">
          {data.map((block) => (
            <BlockLine key={block.name} block={block} onDone={blocks.reload} />
          ))}
        </ul>
      )}
    </>
  );
}

interface BlockLineProps {
  block: Block;
  onDone: () => Promise<void>;
}

function BlockLine({ block, onDone }: BlockLineProps) {
  const { name, title, templateType, usedBy, updatedAt } = block;
  const at = `partials/${name}`;
  return (
    <li class="line block-line">
      <div class="words">
        <strong>
          {may("editor") ? (
            <Link to={`blocks/${name}/edit`}>{title}</Link>
          ) : (
            title
          )}
        </strong>
        <span class="muted small">
          {templateType === "email" ? t("common.email") : t("common.document")}
          {" · "}
          <code>{name}</code>
        </span>
      </div>
      <div class="words muted small">
        <span>
          {usedBy.length === 0
            ? t("blocks.notUsed")
            : t("blocks.usedBy", { count: usedBy.length })}
        </span>
        <span class="block-users">
          {usedBy.map((user) => (
            <Link to={`templates/${user.id}`} key={user.id}>
              {user.isPublished
                ? user.name
                : t("blocks.inDraft", { name: user.name })}
            </Link>
          ))}
        </span>
        <span>{t("blocks.changedDate", { date: dayOf(updatedAt) })}</span>
      </div>
      {may("editor") && (
        <EntryMenu
          name={title}
          actions={[
            renameAction(title, async (next) => {
              await askPublic(at, "PATCH", { title: next });
              await onDone();
            }),
            deleteAction(title, t("blocks.deleteHelp"), async () => {
              await askPublic(at, "DELETE");
              await onDone();
              toast(t("blocks.deleted", { title }));
            }),
          ]}
        />
      )}
    </li>
  );
}
