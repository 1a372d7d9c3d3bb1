/** The dialogs that are open, the one on top last: what is to be reached beside it has to be inside of it. */

export interface OpenDialogs<Dialog> {
  /** Opened; gives what closes it. */
  readonly open: (dialog: Dialog) => () => void
  /** Null while there is none. */
  readonly top: () => Dialog | null
  readonly subscribe: (tell: () => void) => () => void
}

export function createOpenDialogs<Dialog>(): OpenDialogs<Dialog> {
  let dialogs: readonly Dialog[] = []
  const listeners = new Set<() => void>()
  const put = (next: readonly Dialog[]): void => {
    dialogs = next
    for (const tell of listeners) tell()
  }
  return {
    open: (dialog) => {
      put([...dialogs, dialog])
      return () => put(dialogs.filter((one) => one !== dialog))
    },
    top: () => dialogs.at(-1) ?? null,
    subscribe: (tell) => {
      listeners.add(tell)
      return () => void listeners.delete(tell)
    },
  }
}

/** Those of this page. */
export const openDialogs = createOpenDialogs<HTMLElement>()
