/** Steps to a workflow of their own, and back; a step to a task. */

import { expandSelected, selectedCall } from '../../state/extracting.ts'
import { selectedStep } from '../../state/saving-task.ts'
import { canEdit } from '../../state/selectors.ts'
import { usesToFollow } from '../../state/task-versions.ts'
import { commandsOf } from './app-command.ts'

export const extractCommands = commandsOf('Edit', [
  {
    id: 'edit.extract',
    title: 'Make a sub-workflow of the selected steps …',
    scope: 'canvas',
    isEnabled: (designer) => canEdit(designer) && designer.view.getState().selection.nodes.length > 0,
    run: (designer) => designer.view.getState().setDialog('extract'),
  },
  {
    id: 'edit.expand',
    title: 'Write out the sub-workflow here',
    scope: 'canvas',
    isEnabled: (designer) => canEdit(designer) && selectedCall(designer) !== null,
    run: (designer) => void expandSelected(designer),
  },
  {
    id: 'edit.saveAsTask',
    title: 'Save the step as a task …',
    scope: 'canvas',
    isEnabled: (designer) => canEdit(designer) && selectedStep(designer) !== null,
    run: (designer) => designer.view.getState().setDialog('save-task'),
  },
  {
    id: 'edit.migrateTasks',
    title: 'Migrate steps to the tasks that are here …',
    isEnabled: (designer) => canEdit(designer) && usesToFollow(designer).length > 0,
    run: (designer) => designer.view.getState().setDialog('migrate-tasks'),
  },
])
