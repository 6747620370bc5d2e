// Behaviour of the pages: copy, show a password, count a wait down, dialogs, menus, tabs, shortcuts. Sign-in, consent and errors work without it.
const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

async function copy(button) {
  const source = document.getElementById(button.dataset.copy);
  const label = $('span', button) ?? button;
  const text = label.textContent;
  try {
    await navigator.clipboard.writeText(source.value ?? source.textContent);
    label.textContent = 'Copied';
  } catch {
    getSelection().selectAllChildren(source); // without a secure context there is no clipboard: leave it selected
    label.textContent = 'Selected';
  }
  setTimeout(() => {
    label.textContent = text;
  }, 1600);
}

function togglePassword(button) {
  const field = document.getElementById(button.getAttribute('aria-controls'));
  const hidden = field.type === 'password';
  field.type = hidden ? 'text' : 'password';
  button.textContent = hidden ? 'Hide' : 'Show';
  button.setAttribute('aria-pressed', String(hidden));
}

document.addEventListener('click', (event) => {
  const target = event.target;
  const copied = target.closest('[data-copy]');
  if (copied) void copy(copied);
  const shown = target.closest('[aria-controls][aria-pressed]');
  if (shown) togglePassword(shown);
  const opener = target.closest('[data-dialog]');
  if (opener) document.getElementById(opener.dataset.dialog)?.showModal();
  if (target.closest('[data-close]')) target.closest('dialog')?.close();
  // a menu closes when the click was elsewhere
  for (const menu of $$('details.menu[open]')) if (!menu.contains(target)) menu.open = false;
  if (target.closest('[aria-disabled="true"]')) event.preventDefault();
});

// a wait before another sign-in: the button counts down, then serves again
for (const button of $$('[data-wait]')) {
  const end = Date.now() + Number(button.dataset.wait) * 1000;
  const label = button.dataset.label;
  const tick = () => {
    const left = Math.max(0, Math.ceil((end - Date.now()) / 1000));
    if (left === 0) {
      button.textContent = label;
      button.type = 'submit';
      button.removeAttribute('aria-disabled');
      $('#pause')?.remove();
      clearInterval(timer);
    } else button.textContent = `${label} possible in ${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
  };
  const timer = setInterval(tick, 500);
  tick();
}

// tabs: arrows move, Home and End jump, the selected tab alone is in the tab order
for (const list of $$('[role="tablist"]')) {
  const tabs = $$('[role="tab"]', list);
  const choose = (tab) => {
    for (const each of tabs) {
      const on = each === tab;
      each.setAttribute('aria-selected', String(on));
      each.tabIndex = on ? 0 : -1;
      const panel = document.getElementById(each.getAttribute('aria-controls'));
      if (panel) panel.hidden = !on;
    }
  };
  choose(tabs.find((tab) => tab.getAttribute('aria-selected') === 'true') ?? tabs[0]);
  list.addEventListener('click', (event) => {
    const tab = event.target.closest('[role="tab"]');
    if (tab) choose(tab);
  });
  list.addEventListener('keydown', (event) => {
    const at = tabs.indexOf(document.activeElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    const next = tabs.at(to % tabs.length);
    choose(next);
    next.focus();
  });
}

document.addEventListener('keydown', (event) => {
  const typing = event.target.matches('input, textarea, select, [contenteditable]');
  if (event.key === 'Escape') {
    for (const menu of $$('details.menu[open]')) {
      menu.open = false;
      $('summary', menu).focus();
    }
  }
  if ((event.ctrlKey || event.metaKey) && event.key === 'k' && $('#jump')) {
    event.preventDefault();
    $('#jump').showModal();
  }
  if (event.key === '/' && !typing && $('[data-find]')) {
    event.preventDefault();
    $('[data-find]').focus();
  }
});
