/** What the environment decides about the desktop app. */

type Environment = Readonly<Record<string, string | undefined>>

/** The development server's address; never in a packaged app, and only on this machine. */
export function devServerOf(env: Environment, isPackaged: boolean): string | null {
  const url = env['ELECTRON_RENDERER_URL']
  if (isPackaged || url === undefined || !URL.canParse(url)) return null
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname) ? url : null
}
