// Sign-up: the state is asked only of those who live in the United States. Without scripts it is always shown.

const country = /** @type {HTMLSelectElement} */ (document.getElementById("id_country"));
const field = /** @type {HTMLElement} */ (document.getElementById("state-field"));

function show() { field.hidden = country.value !== "US"; }

country.addEventListener("change", show);
show();
