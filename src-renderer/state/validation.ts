/** Checks the open document soon after every change; the same check that the engine makes. */

import { validateWorkflow } from '../../src-engine/model/validate-workflow.ts'
import type { Designer } from './designer.ts'

/** Long enough not to check between two letters, short enough to feel at once. */
const validationDelayMs = 120

/** Starts checking; returns the way to stop. */
export function startValidation(designer: Designer): () => void {
  let cancel = (): void => undefined
  const check = (): void => {
    const { history, setProblems } = designer.document.getState()
    setProblems(validateWorkflow(history.document, designer.specs))
  }
  const stop = designer.document.subscribe((state, before) => {
    if (!state.isOpen || state.history.document === before.history.document) return
    cancel()
    cancel = designer.ambient.after(state.generation === before.generation ? validationDelayMs : 0, check)
  })
  return () => {
    cancel()
    stop()
  }
}
