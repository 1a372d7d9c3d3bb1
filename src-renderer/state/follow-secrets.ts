/** Loads what the vault keeps when the line opens; the secrets page keeps it fresh from then on. */

import type { Designer } from './designer.ts'

/** Loads it now and whenever the line comes back. */
export function startSecrets(designer: Designer): void {
  designer.connection.state.subscribe((state) => {
    if (state.status === 'open') void loadSecrets(designer)
  })
  void loadSecrets(designer)
}

/** Asks for everything but the values. */
export async function loadSecrets(designer: Designer): Promise<void> {
  try {
    designer.secrets.getState().setView(await designer.connection.call('secrets.list', {}))
  } catch {
    // Asked for again when the line is back; the page says itself why it has no answer.
  }
}
