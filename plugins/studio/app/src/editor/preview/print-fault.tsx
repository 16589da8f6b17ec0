import { Button } from "../../ui/button.js";
import { Notice } from "../../ui/notice.js";
import { useEditor } from "../model/editor-context.js";
import { componentAt } from "../model/tree.js";

/** Why there is no print, with a way to where it is to be mended. */
export function PrintFault({ why }: { why: string }) {
  const editor = useEditor();
  const path = /\$(?:\.[\w-]+|\[\d+\])+/.exec(why)?.[0];
  const id = path === undefined ? null : componentAt(editor.tree.value, path);
  return (
    <Notice tone="bad" title="It cannot be printed as it is">
      <p>{why}</p>
      {id !== null && (
        <Button
          onPress={() => {
            editor.selected.value = id;
          }}
        >
          Show where
        </Button>
      )}
    </Notice>
  );
}
