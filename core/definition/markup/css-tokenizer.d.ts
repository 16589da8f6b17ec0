declare module "css-tree/tokenizer" {
  /** Calls `onToken` for each token of CSS Syntax Level 3; no input fails. */
  export function tokenize(
    source: string,
    onToken: (type: number, start: number, end: number) => void,
  ): void;
  export const tokenTypes: Readonly<
    Record<
      | "Ident"
      | "Function"
      | "AtKeyword"
      | "String"
      | "BadString"
      | "Url"
      | "BadUrl"
      | "Delim"
      | "WhiteSpace"
      | "CDO"
      | "CDC"
      | "Colon"
      | "Semicolon"
      | "Comma"
      | "LeftSquareBracket"
      | "RightSquareBracket"
      | "LeftParenthesis"
      | "RightParenthesis"
      | "LeftCurlyBracket"
      | "RightCurlyBracket"
      | "Comment",
      number
    >
  >;
}
