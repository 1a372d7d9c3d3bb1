/**
 * Checks the open document soon after every change; the same check that the engine makes. A large one is checked in
 * slices, and what was found last stays until the end.
 */

import type { Problem } from '../../src-engine/model/problem.ts'
import { validateWorkflow, validationSteps } from '../../src-engine/model/validate-workflow.ts'
import type { ValidationOptions } from '../../src-engine/model/validation.ts'
import { triggerSpecsByKind } from '../../src-engine/triggers/specs.ts'
import { countOf } from '../rules/found-once.ts'
import { isOnlyMoved } from '../rules/only-moved.ts'
import type { Designer } from './designer.ts'
import type { ExpressionFaults } from './expression-faults.ts'
import { createExpressionFaults } from './expression-faults.ts'
import { inSlices } from './in-slices.ts'

/** Long enough not to check between two letters, short enough to feel at once. */
const validationDelayMs = 120
/** A workflow with more steps than this is drawn before it is checked: both at once would take twice as long. */
const largeFrom = 400
const largeDelayMs = 600

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

/** The same mistakes as before are the same list: nothing is drawn anew for them. */
function teller({ document }: Designer): (problems: readonly Problem[]) => void {
  return (problems) => {
    const before = document.getState().problems
    if (JSON.stringify(before) !== JSON.stringify(problems)) document.getState().setProblems(problems)
  }
}

type Check = Parameters<typeof validateWorkflow>

/** What is checked now, and with what. */
const checkOf = (designer: Designer): Check => [
  designer.document.getState().history.document,
  designer.specs,
  {
    ...vaultOf(designer),
    triggerSpecs: triggerSpecsByKind,
    checkExpression: faultsOf(designer).check,
  },
]

const faultsByDesigner = new WeakMap<Designer, ExpressionFaults>()

function faultsOf(designer: Designer): ExpressionFaults {
  const faults = faultsByDesigner.get(designer) ?? createExpressionFaults(designer)
  faultsByDesigner.set(designer, faults)
  return faults
}

/** Checks the document as it is now, in one go: for whoever can't go by what was found before the last edit. */
export function checkNow(designer: Designer): readonly Problem[] {
  const found = mistakesOf(validateWorkflow(...checkOf(designer)))
  teller(designer)(found)
  return found
}

/** Starts checking; returns the way to stop. */
export function startValidation(designer: Designer): () => void {
  const tell = teller(designer)
  let cancel = (): void => undefined
  const check = (): void => {
    cancel()
    cancel = inSlices(designer.ambient, {
      steps: validationSteps(...checkOf(designer)),
      done: (problems) => {
        tell(mistakesOf(problems))
        void askAgain()
      },
    })
  }
  const askAgain = async (): Promise<void> => {
    // Without the engine they are asked about with the next edit.
    const isNews = await faultsOf(designer)
      .ask()
      .catch(() => false)
    if (isNews && designer.document.getState().isOpen) check()
  }
  const stop = designer.document.subscribe((state, before) => {
    const { document } = state.history
    if (document === before.history.document) return
    const isNew = state.generation !== before.generation || state.isOpen !== before.isOpen
    // Whatever is under way, or was found, holds for it too.
    if (!isNew && isOnlyMoved(before.history.document, document)) return
    cancel()
    if (!state.isOpen) return
    const opening = countOf(document.nodes) > largeFrom ? largeDelayMs : 0
    cancel = designer.ambient.after(isNew ? opening : validationDelayMs, check)
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
