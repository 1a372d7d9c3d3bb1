/** Whether a command may run now, followed across the stores it may depend on. */

import { useCallback, useSyncExternalStore } from 'react'
import type { AppCommand } from '../commands/app/app-command.ts'
import { useDesigner } from '../state/context.ts'

/** True while the command may run. */
export function useEnabled(command: AppCommand): boolean {
  const designer = useDesigner()
  const subscribe = useCallback(
    (listener: () => void) => {
      const { document, view, runs, connection } = designer
      const stops = [document, view, runs, connection.state].map((store) => store.subscribe(listener))
      return () => {
        for (const stop of stops) stop()
      }
    },
    [designer],
  )
  return useSyncExternalStore(subscribe, () => command.isEnabled(designer))
}
