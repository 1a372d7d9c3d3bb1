/** Checks the open document soon after every change; the same check that the engine makes. */

import type { Problem } from '../../src-engine/model/problem.ts'
import { validateWorkflow } from '../../src-engine/model/validate-workflow.ts'
import type { ValidationOptions } from '../../src-engine/model/validation.ts'
import { triggerSpecsByKind } from '../../src-engine/triggers/specs.ts'
import type { Designer } from './designer.ts'

/** Long enough not to check between two letters, short enough to feel at once. */
const validationDelayMs = 120

/**
 * What a person should look at. A workflow without nodes can't run, but it is no mistake: nobody has begun
 * yet, and the canvas says how to.
 */
const mistakesOf = (problems: readonly Problem[]): readonly Problem[] =>
  problems.filter(({ code }) => code !== 'empty_workflow')

/** Without a word from the engine, nobody says which secrets are missing. */
function vaultOf(designer: Designer): Pick<ValidationOptions, 'secrets'> {
  const { view } = designer.secrets.getState()
  return view === null || view.vault.status === 'damaged' ? {} : { secrets: view.secrets }
}

/** Starts checking; returns the way to stop. */
export function startValidation(designer: Designer): () => void {
  let cancel = (): void => undefined
  const check = (): void => {
    const { history, setProblems } = designer.document.getState()
    const options = { ...vaultOf(designer), triggerSpecs: triggerSpecsByKind }
    setProblems(mistakesOf(validateWorkflow(history.document, designer.specs, options)))
  }
  const stop = designer.document.subscribe((state, before) => {
    if (!state.isOpen || state.history.document === before.history.document) return
    cancel()
    cancel = designer.ambient.after(state.generation === before.generation ? validationDelayMs : 0, check)
  })
  // What the vault keeps decides about what is missing.
  const stopSecrets = designer.secrets.subscribe(({ view }, before) => {
    if (view !== before.view && designer.document.getState().isOpen) check()
  })
  const stopTasks = designer.customTasks.subscribe(({ specs }, before) => {
    if (specs !== before.specs && designer.document.getState().isOpen) check()
  })
  return () => {
    cancel()
    stop()
    stopSecrets()
    stopTasks()
  }
}
