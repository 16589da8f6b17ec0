import { type AssetsAsked, inText, kindWords } from "../../assets/asset.js";
import { may } from "../../me.js";
import { setQuery } from "../../router.js";
import { Button } from "../../ui/button.js";
import { Empty } from "../../ui/notice.js";

const anything = { icon: "image", many: "assets" } as const;

/** Why there is nothing to see, and what to do about it. */
export function NoAssets({ asked }: { asked: AssetsAsked }) {
  const { q, kind, folderId, isTrash } = asked;
  const { icon, many } = kind === null ? anything : kindWords[kind];
  const what = inText(many);
  if (q !== "")
    return (
      <Empty icon="search" title={`Nothing is called “${q}”`}>
        <p>Part of a name is enough; upper and lower case are the same.</p>
        <Button onPress={() => setQuery({ q: "" })}>Clear the search</Button>
      </Empty>
    );
  if (isTrash)
    return (
      <Empty icon="trash" title="The trash is empty">
        <p>What you move to the trash waits here to be restored.</p>
      </Empty>
    );
  return (
    <Empty
      icon={icon}
      title={
        folderId === null ? `No ${what} yet` : `No ${what} in this folder yet`
      }
    >
      <p>
        {may("editor")
          ? "Drop files here, or press Upload."
          : "An editor of your organization can upload some."}
      </p>
    </Empty>
  );
}
