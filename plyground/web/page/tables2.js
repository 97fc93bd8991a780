import{e as s}from"./app.js";const t=(t,a={})=>s("th",{scope:"col",...a},t),a=(t,a,o,e)=>s("table",a,s("caption",{class:"unseen"},t),s("thead",{},o),s("tbody",{},e));export{t as c,a as t};
