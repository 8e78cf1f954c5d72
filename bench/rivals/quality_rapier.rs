// SPDX-License-Identifier: MIT
//! quality.h by Rapier. The settings are its defaults but for the solver's iterations, each of which is a small step.
use rapier2d::prelude::*;
use std::cell::RefCell;
use std::ffi::{c_char, c_int};

#[repr(C)]
pub struct QualitySetting {
    name: *const c_char,
    steps: c_int,
    iterations: c_int,
    other: c_int,
}
unsafe impl Sync for QualitySetting {}

#[repr(C)]
pub struct QualityBox {
    x: f64,
    y: f64,
    half_width: f64,
    half_height: f64,
    angle: f64,
    density: f64,
    friction: f64,
    group: c_int,
}

#[repr(transparent)]
pub struct Text(*const c_char);
unsafe impl Sync for Text {}

const fn setting(name: &'static std::ffi::CStr, steps: c_int, iterations: c_int) -> QualitySetting {
    QualitySetting { name: name.as_ptr(), steps, iterations, other: 0 }
}
const FRAME_RATE: f32 = 60.0;

#[no_mangle]
pub static kQualityLibrary: Text = Text(c"Rapier".as_ptr());
#[no_mangle]
pub static kQualitySettings: [QualitySetting; 8] = [
    setting(c"1/60", 1, 1),
    setting(c"1/60", 1, 2),
    setting(c"1/60", 1, 4),
    setting(c"1/60", 1, 8),
    setting(c"1/120", 2, 1),
    setting(c"1/120", 2, 2),
    setting(c"1/120", 2, 4),
    setting(c"1/120", 2, 8),
];
#[no_mangle]
pub static kQualitySettingCount: c_int = 8;

struct World {
    physics: PhysicsWorld,
    bodies: Vec<RigidBodyHandle>,
    steps: c_int,
}

impl World {
    fn add(&mut self, body: RigidBodyBuilder, collider: ColliderBuilder, friction: f64, group: c_int) -> c_int {
        let groups = match group {
            0 => InteractionGroups::all(),
            _ => InteractionGroups::new(Group::GROUP_1, !Group::GROUP_1, InteractionTestMode::And),
        };
        let collider = collider
            .friction(friction as f32)
            .friction_combine_rule(CoefficientCombineRule::GeometricMean)
            .collision_groups(groups);
        self.bodies.push(self.physics.insert(body.can_sleep(false), collider).0);
        self.bodies.len() as c_int - 1
    }

    fn body(&self, number: c_int) -> &RigidBody {
        &self.physics.bodies[self.bodies[number as usize]]
    }
}

thread_local!(static WORLD: RefCell<Option<World>> = const { RefCell::new(None) });

fn with<T>(call: impl FnOnce(&mut World) -> T) -> T {
    WORLD.with_borrow_mut(|world| call(world.as_mut().expect("a world has begun")))
}

fn vector(x: f64, y: f64) -> Vector {
    Vector::new(x as f32, y as f32)
}

#[no_mangle]
pub extern "C" fn quality_begin(setting: &QualitySetting, has_gravity: c_int) {
    let mut physics = PhysicsWorld::new();
    physics.gravity = vector(0.0, if has_gravity != 0 { -10.0 } else { 0.0 });
    physics.integration_parameters.dt = 1.0 / (FRAME_RATE * setting.steps as f32);
    physics.integration_parameters.num_solver_iterations = setting.iterations as usize;
    WORLD.set(Some(World { physics, bodies: Vec::new(), steps: setting.steps }));
}

#[no_mangle]
pub extern "C" fn quality_end() {
    WORLD.set(None);
}

#[no_mangle]
pub extern "C" fn quality_add_box(shape: &QualityBox) -> c_int {
    let body = if shape.density > 0.0 { RigidBodyBuilder::dynamic() } else { RigidBodyBuilder::fixed() };
    let body = body.translation(vector(shape.x, shape.y)).rotation(shape.angle as f32);
    let collider = ColliderBuilder::cuboid(shape.half_width as f32, shape.half_height as f32).density(shape.density as f32);
    with(|world| world.add(body, collider, shape.friction, shape.group))
}

#[no_mangle]
pub extern "C" fn quality_add_ball(x: f64, y: f64, radius: f64, density: f64, speed_x: f64, group: c_int) -> c_int {
    let body = RigidBodyBuilder::dynamic().translation(vector(x, y)).linvel(vector(speed_x, 0.0));
    let collider = ColliderBuilder::ball(radius as f32).density(density as f32);
    with(|world| world.add(body, collider, 0.0, group))
}

#[no_mangle]
pub extern "C" fn quality_join(a: c_int, b: c_int, x: f64, y: f64) {
    with(|world| {
        let anchor = |number| world.body(number).position().inverse_transform_point(vector(x, y));
        let joint = RevoluteJointBuilder::new().local_anchor1(anchor(a)).local_anchor2(anchor(b));
        let (a, b) = (world.bodies[a as usize], world.bodies[b as usize]);
        world.physics.insert_impulse_joint(a, b, joint);
    });
}

#[no_mangle]
pub extern "C" fn quality_step() {
    with(|world| (0..world.steps).for_each(|_| world.physics.step()));
}

#[no_mangle]
pub extern "C" fn quality_point(body: c_int, local_x: f64, local_y: f64, x: &mut f64, y: &mut f64) {
    let at = with(|world| world.body(body).position().transform_point(vector(local_x, local_y)));
    (*x, *y) = (at.x.into(), at.y.into());
}
