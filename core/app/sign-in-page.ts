/** Where people sign in: the studio's page. A login link is this and its token. */
export function signInPage(baseUrl: string): string {
  return `${baseUrl}/studio/sign-in`;
}
